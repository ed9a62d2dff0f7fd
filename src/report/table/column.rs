//! Columns of a row group: values → pages.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as Physical, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

use crate::report::rows::ColumnType;
use crate::report::table::dictionary::Dictionary;
use crate::report::table::encoding::{Prefixed, push_deltas, push_flags, push_runs, width};

/// Bytes of texts after which a page ends, and the largest dictionary.
const PAGE_BYTES: usize = 1 << 20;

/// A column of a group in the making.
pub(super) struct Column<'a> {
    about: ColumnDescPtr,
    values: Values<'a>,
    /// Values of the page with the missing ones, and with one for an empty list.
    slots: usize,
    /// Definition level of each slot; empty while all are the highest.
    definitions: Vec<u32>,
    /// Repetition level of each slot of a list.
    repetitions: Vec<u32>,
    nulls: u64,
    /// The least and the greatest number.
    bounds: Option<(i64, i64)>,
    /// Pages of values, not compressed, with their encoding and number of slots.
    pages: Vec<(Vec<u8>, Encoding, usize)>,
    /// A dictionary of earlier pages, which has become too large for more.
    full: Option<Dictionary>,
}

/// Values of a page.
enum Values<'a> {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    Words(Dictionary),
    Texts(Prefixed<'a>),
}

impl<'a> Column<'a> {
    pub(super) fn new(about: ColumnDescPtr, kind: ColumnType) -> Column<'a> {
        Column {
            about,
            values: match kind {
                ColumnType::Bool => Values::Flags(Vec::new()),
                ColumnType::Unique => Values::Texts(Prefixed::default()),
                ColumnType::Text | ColumnType::List | ColumnType::Fraction => {
                    Values::Words(Dictionary::default())
                }
                _ => Values::Numbers(Vec::new()),
            },
            slots: 0,
            definitions: Vec::new(),
            repetitions: Vec::new(),
            nulls: 0,
            bounds: None,
            pages: Vec::new(),
            full: None,
        }
    }

    /// Adds slots with these levels.
    fn levels(&mut self, definition: i16, repetition: i16, times: usize) {
        let highest = self.about.max_def_level();
        if definition < highest || !self.definitions.is_empty() {
            self.definitions.resize(self.slots, highest as u32);
            self.definitions
                .resize(self.slots + times, definition as u32);
        }
        if self.about.max_rep_level() > 0 {
            self.repetitions
                .resize(self.slots + times, repetition as u32);
        }
        self.slots += times;
    }

    /// Ends the page if its texts are long; before a row.
    fn before_row(&mut self) {
        let bytes = match &self.values {
            Values::Words(words) => words.bytes(),
            Values::Texts(texts) => texts.bytes(),
            Values::Numbers(_) | Values::Flags(_) => return,
        };
        if bytes < PAGE_BYTES {
            return;
        }
        self.end_page();
        if let Values::Words(words) = &mut self.values
            && self.about.physical_type() == Physical::BYTE_ARRAY
        {
            self.full = Some(std::mem::take(words));
            self.values = Values::Texts(Prefixed::default());
        }
    }

    fn end_page(&mut self) {
        if self.slots == 0 {
            return;
        }
        let mut page = Vec::new();
        let levels = [
            (&mut self.repetitions, self.about.max_rep_level()),
            (&mut self.definitions, self.about.max_def_level()),
        ];
        for (levels, highest) in levels {
            if highest == 0 {
                continue;
            }
            levels.resize(self.slots, highest as u32);
            page.extend_from_slice(&[0; 4]);
            let at = page.len();
            push_runs(&mut page, levels, width(highest as u64));
            let length = ((page.len() - at) as u32).to_le_bytes();
            page[at - 4..at].copy_from_slice(&length);
            levels.clear();
        }
        let encoding = match &mut self.values {
            Values::Numbers(numbers) => {
                push_deltas(&mut page, numbers);
                numbers.clear();
                Encoding::DELTA_BINARY_PACKED
            }
            Values::Flags(flags) => {
                push_flags(&mut page, flags);
                flags.clear();
                Encoding::PLAIN
            }
            Values::Words(words) => {
                words.take(&mut page);
                Encoding::RLE_DICTIONARY
            }
            Values::Texts(texts) => {
                texts.take(&mut page);
                Encoding::DELTA_BYTE_ARRAY
            }
        };
        self.pages.push((page, encoding, self.slots));
        self.slots = 0;
    }
}

impl<'a> Column<'a> {
    /// Adds rows without a value.
    pub(super) fn push_nulls(&mut self, rows: usize) {
        self.levels(0, 0, rows);
        self.nulls += rows as u64;
    }

    /// Adds a value to that many rows.
    pub(super) fn push(&mut self, kind: ColumnType, cells: &mut Cells<'a>, rows: usize) {
        let begin = cells.at;
        for _ in 0..rows {
            cells.at = begin;
            self.before_row();
            match kind {
                ColumnType::List | ColumnType::Int16List => {
                    let items = cells.number::<4>();
                    if items == 0 {
                        self.levels(1, 0, 1);
                    }
                    for nth in 0..items {
                        self.value(kind, cells);
                        self.levels(3, i16::from(nth > 0), 1);
                    }
                }
                _ => {
                    self.value(kind, cells);
                    self.levels(1, 0, 1);
                }
            }
        }
    }

    fn value(&mut self, kind: ColumnType, cells: &mut Cells<'a>) {
        match &mut self.values {
            Values::Numbers(numbers) => {
                let number = match kind {
                    ColumnType::Number => cells.number::<8>() as i64,
                    _ => i64::from(cells.number::<4>() as i32),
                };
                numbers.push(number);
                let (least, greatest) = self.bounds.unwrap_or((number, number));
                self.bounds = Some((least.min(number), greatest.max(number)));
            }
            Values::Flags(flags) => flags.push(cells.number::<1>() != 0),
            Values::Words(words) if kind == ColumnType::Fraction => {
                words.push_fraction(f64::from_bits(cells.number::<8>()));
            }
            Values::Words(words) => words.push_text(cells.text()),
            Values::Texts(texts) => texts.push(cells.text()),
        }
    }

    /// The pages, compressed, and the metadata of the column.
    pub(super) fn finish(
        mut self,
        rows: usize,
        zstd: &mut Compressor<'_>,
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        self.end_page();
        let mut out = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut out);
        let words = match (self.full, self.values) {
            (Some(words), _) | (None, Values::Words(words)) => Some(words.into_values()),
            _ => None,
        };
        let mut unpacked = 0;
        let mut write = |page: Page, bytes: usize| {
            let spec = writer.write_page(CompressedPage::new(page, bytes))?;
            unpacked += spec.uncompressed_size;
            Ok::<_, ParquetError>(spec.offset as i64)
        };
        let mut encodings = vec![Encoding::RLE];
        let mut dictionary_at = None;
        if let Some((values, count)) = words {
            let page = Page::DictionaryPage {
                buf: zstd.compress(&values)?.into(),
                num_values: count as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            dictionary_at = Some(write(page, values.len())?);
            encodings.push(Encoding::PLAIN);
        }
        let (mut data_at, mut slots) = (None, 0);
        for (bytes, encoding, count) in self.pages {
            let page = Page::DataPage {
                buf: zstd.compress(&bytes)?.into(),
                num_values: count as u32,
                encoding,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            };
            let at = write(page, bytes.len())?;
            data_at.get_or_insert(at);
            slots += count;
            if !encodings.contains(&encoding) {
                encodings.push(encoding);
            }
        }
        let nulls = Some(self.nulls);
        let statistics = match (self.about.physical_type(), self.bounds) {
            (Physical::INT32, bounds) => Statistics::Int32(ValueStatistics::new(
                bounds.map(|(least, _)| least as i32),
                bounds.map(|(_, greatest)| greatest as i32),
                None,
                nulls,
                false,
            )),
            (Physical::INT64, bounds) => Statistics::Int64(ValueStatistics::new(
                bounds.map(|(least, _)| least),
                bounds.map(|(_, greatest)| greatest),
                None,
                nulls,
                false,
            )),
            (Physical::BOOLEAN, _) => {
                Statistics::Boolean(ValueStatistics::new(None, None, None, nulls, false))
            }
            (Physical::DOUBLE, _) => {
                Statistics::Double(ValueStatistics::new(None, None, None, nulls, false))
            }
            _ => Statistics::ByteArray(ValueStatistics::new(None, None, None, nulls, false)),
        };
        let written = out.into_inner()?;
        let metadata = ColumnChunkMetaData::builder(self.about)
            .set_encodings(encodings)
            .set_num_values(slots as i64)
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_total_compressed_size(written.len() as i64)
            .set_total_uncompressed_size(unpacked as i64)
            .set_data_page_offset(data_at.unwrap_or(0))
            .set_dictionary_page_offset(dictionary_at)
            .set_statistics(statistics)
            .build()?;
        let result = ColumnCloseResult {
            bytes_written: written.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((written.into(), result))
    }
}

/// Reads cells.
pub(super) struct Cells<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cells<'a> {
    /// The next number of `N` bytes, the lowest first.
    pub(super) fn number<const N: usize>(&mut self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(&self.bytes[self.at..self.at + N]);
        self.at += N;
        u64::from_le_bytes(bytes)
    }

    fn text(&mut self) -> &'a [u8] {
        let length = self.number::<4>() as usize;
        let text = &self.bytes[self.at..self.at + length];
        self.at += length;
        text
    }
}
