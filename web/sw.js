// Service worker: keeps the files of the page, so that it works without a network.
const KEPT = 'chess-arbiter';
const FILES = [
  './', 'index.html', 'style.css', 'page.js', 'worker.js', 'chess_arbiter.js',
  'chess_arbiter_bg.wasm',
];

self.addEventListener('install', (event) => {
  const keep = async () => {
    await (await caches.open(KEPT)).addAll(FILES);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// The network comes first: files of two versions would not fit together.
self.addEventListener('fetch', (event) => {
  const answer = async () => {
    try {
      const response = await fetch(event.request);
      if (response.ok) (await caches.open(KEPT)).put(event.request, response.clone());
      return response;
    } catch (error) {
      return await caches.match(event.request, { ignoreSearch: true }) ?? Response.error();
    }
  };
  if (event.request.method === 'GET') event.respondWith(answer());
});
