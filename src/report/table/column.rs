//! Columns of a row group: cells → pages.

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

use crate::report::rows::{ColumnType, NULL};
use crate::report::table::dictionary::Dictionary;
use crate::report::table::encoding::{DeltaStrings, push_deltas, push_flags, push_runs, width};
use crate::report::table::is_list;

/// Bytes of text after which a page ends, and bytes of a dictionary after which texts are written
/// without one.
const PAGE_BYTES: usize = 1 << 20;

/// Column of a group in the making.
pub(super) struct ColumnEncoder<'a> {
    about: ColumnDescPtr,
    values: PageValues<'a>,
    /// Number of levels of the page: values, missing values and empty lists.
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
    /// Dictionary of the earlier pages, too large for more.
    full: Option<Dictionary>,
}

/// Values of a page.
enum PageValues<'a> {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    Words(Dictionary),
    Texts(DeltaStrings<'a>),
}

impl<'a> ColumnEncoder<'a> {
    pub(super) fn new(about: ColumnDescPtr, kind: ColumnType) -> ColumnEncoder<'a> {
        ColumnEncoder {
            about,
            values: match kind {
                ColumnType::Bool => PageValues::Flags(Vec::new()),
                ColumnType::Unique => PageValues::Texts(DeltaStrings::default()),
                ColumnType::Text | ColumnType::List | ColumnType::Fraction => {
                    PageValues::Words(Dictionary::default())
                }
                _ => PageValues::Numbers(Vec::new()),
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

    /// Adds a slot with these levels.
    fn push_levels(&mut self, definition: i16, repetition: i16) {
        let highest = self.about.max_def_level();
        if definition < highest || !self.definitions.is_empty() {
            self.definitions.resize(self.slots, highest as u32);
            self.definitions.push(definition as u32);
        }
        if self.about.max_rep_level() > 0 {
            self.repetitions.push(repetition as u32);
        }
        self.slots += 1;
    }

    /// Ends the page if its texts or its dictionary have become too long. A row is not divided.
    fn end_long_page(&mut self) {
        match &mut self.values {
            PageValues::Words(words) if words.bytes() >= PAGE_BYTES => {
                self.end_page();
                let texts = PageValues::Texts(DeltaStrings::default());
                if let PageValues::Words(words) = std::mem::replace(&mut self.values, texts) {
                    self.full = Some(words);
                }
            }
            PageValues::Texts(texts) if texts.bytes() >= PAGE_BYTES => self.end_page(),
            _ => {}
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
            PageValues::Numbers(numbers) => {
                push_deltas(&mut page, numbers);
                numbers.clear();
                Encoding::DELTA_BINARY_PACKED
            }
            PageValues::Flags(flags) => {
                push_flags(&mut page, flags);
                flags.clear();
                Encoding::PLAIN
            }
            PageValues::Words(words) => {
                words.take(&mut page);
                Encoding::RLE_DICTIONARY
            }
            PageValues::Texts(texts) => {
                texts.take(&mut page);
                Encoding::DELTA_BYTE_ARRAY
            }
        };
        self.pages.push((page, encoding, self.slots));
        self.slots = 0;
    }

    /// Adds the next cell.
    pub(super) fn push(&mut self, kind: ColumnType, cells: &mut CellReader<'a>) {
        if cells.number::<1>() == u64::from(NULL) {
            self.nulls += 1;
            return self.push_levels(0, 0);
        }
        if is_list(kind) {
            let items = cells.number::<4>();
            for nth in 0..items {
                self.push_value(kind, cells);
                self.push_levels(3, i16::from(nth > 0));
            }
            if items == 0 {
                self.push_levels(1, 0);
            }
        } else {
            self.push_value(kind, cells);
            self.push_levels(1, 0);
        }
        self.end_long_page();
    }

    fn push_value(&mut self, kind: ColumnType, cells: &mut CellReader<'a>) {
        match &mut self.values {
            PageValues::Numbers(numbers) => {
                let number = match kind {
                    ColumnType::Number => cells.number::<8>() as i64,
                    _ => i64::from(cells.number::<4>() as i32),
                };
                numbers.push(number);
                let (least, greatest) = self.bounds.unwrap_or((number, number));
                self.bounds = Some((least.min(number), greatest.max(number)));
            }
            PageValues::Flags(flags) => flags.push(cells.number::<1>() != 0),
            PageValues::Words(words) if kind == ColumnType::Fraction => {
                words.push_fraction(f64::from_bits(cells.number::<8>()));
            }
            PageValues::Words(words) => words.push_text(cells.text()),
            PageValues::Texts(texts) => texts.push(cells.text()),
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
            (Some(words), _) | (None, PageValues::Words(words)) => Some(words.into_values()),
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
        // The least and the greatest text seldom exclude a group from a query.
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

/// Reads binary rows.
pub(super) struct CellReader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> CellReader<'a> {
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
