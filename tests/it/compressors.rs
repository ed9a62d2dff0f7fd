//! Encoders for every supported compression and archive format.

use std::io::Write;

use rawzip::{CompressionMethod, ZipArchiveWriter};

pub fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).unwrap()
}

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

pub fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

pub fn lzma(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(1);
    let mut writer = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

/// Compression formats whose files may be concatenated, by file name extension.
pub const COMPRESSORS: [(&str, Compressor); 4] =
    [("zst", zstd), ("gz", gzip), ("bz2", bzip2), ("xz", xz)];

pub type Compressor = fn(&[u8]) -> Vec<u8>;

/// Member of a zip archive: name, method, text.
pub type Member<'a> = (&'a str, CompressionMethod, &'a [u8]);

/// Zip archive with lengths and checksums in the local headers.
pub fn zip(members: &[Member<'_>]) -> Vec<u8> {
    let mut archive = ZipParts::default();
    for &(name, method, text) in members {
        let stored = deflated(method, text);
        archive.member(name, method.as_u16(), 0, &stored, text, true);
    }
    archive.finish()
}

/// Zip archive with data descriptors after the members, as written to a pipe.
pub fn piped_zip(members: &[Member<'_>]) -> Vec<u8> {
    let mut output = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut output);
    for &(name, method, text) in members {
        let (mut entry, config) = archive
            .new_file(name)
            .compression_method(method)
            .start()
            .unwrap();
        let mut sums = config.wrap(std::io::sink());
        sums.write_all(text).unwrap();
        let (_, descriptor) = sums.finish().unwrap();
        entry.write_all(&deflated(method, text)).unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    output
}

fn deflated(method: CompressionMethod, text: &[u8]) -> Vec<u8> {
    match method {
        CompressionMethod::STORE => text.to_vec(),
        CompressionMethod::DEFLATE => {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        }
        CompressionMethod::ZSTD => zstd(text),
        CompressionMethod::BZIP2 => bzip2(text),
        CompressionMethod::XZ => xz(text),
        // Unknown method: the content is never read.
        _ => b"who knows".to_vec(),
    }
}

/// Zip archive written byte by byte (APPNOTE 4.3).
#[derive(Default)]
pub struct ZipParts {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    members: u16,
}

impl ZipParts {
    /// Flag bit 0 of a member.
    pub const ENCRYPTED: u16 = 1;

    /// Adds a compressed member, with a wrong checksum unless `right` is set.
    pub fn member(
        &mut self,
        name: &str,
        method: u16,
        flags: u16,
        stored: &[u8],
        text: &[u8],
        right: bool,
    ) {
        let mut crc = flate2::Crc::new();
        crc.update(text);
        let crc = if right { crc.sum() } else { !crc.sum() };
        let mut common = Vec::new();
        for short in [20, flags, method, 0, 0] {
            common.extend(short.to_le_bytes());
        }
        for long in [crc, stored.len() as u32, text.len() as u32] {
            common.extend(long.to_le_bytes());
        }
        for short in [name.len() as u16, 0] {
            common.extend(short.to_le_bytes());
        }
        let at = self.bytes.len() as u32;
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(stored);
        self.directory.extend(b"PK\x01\x02\x14\0");
        self.directory.extend(&common);
        self.directory.extend([0; 10]);
        self.directory.extend(at.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.members += 1;
    }

    pub fn finish(mut self) -> Vec<u8> {
        let at = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.members.to_le_bytes());
        self.bytes.extend(self.members.to_le_bytes());
        self.bytes
            .extend((self.directory.len() as u32).to_le_bytes());
        self.bytes.extend(at.to_le_bytes());
        self.bytes.extend([0; 2]);
        self.bytes
    }
}
