//! Columns of a row group: cells → pages.

use std::io;
use std::ops::Range;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as Physical, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::report::block::{ALL, FIELD, NULL, SAME, SOME};
use crate::report::rows::ColumnType;
use crate::report::table::cells::{CellReader, Records};
use crate::report::table::changed_texts::ChangedTexts;
use crate::report::table::dictionary::Dictionary;
use crate::report::table::encoding::{
    DeltaStrings, push_deltas, push_flags, push_run, push_runs, repeat_last, width,
};
use crate::report::table::pages::{Level, PageCompressor};

/// Bytes of text after which a page ends, and bytes of a dictionary after which texts are written
/// without one.
const PAGE_BYTES: usize = 1 << 20;

/// Column of a group in the making. Its memory is used again for the next group.
pub(super) struct ColumnEncoder {
    about: ColumnDescPtr,
    kind: ColumnType,
    values: PageValues,
    /// Number of levels of the page: values, missing values and empty lists.
    slots: usize,
    /// Definition level of all slots, and of each once they differ.
    definition: u32,
    definitions: Vec<u32>,
    /// Repetition level of each slot of a list.
    repetitions: Vec<u32>,
    nulls: u64,
    /// The least and the greatest number; numbers are on one page.
    bounds: Option<(i64, i64)>,
    pages: Vec<DataPage>,
    /// Dictionary of the earlier pages, too large for more.
    full: Option<Dictionary>,
}

/// Values of a page.
enum PageValues {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    Words(Dictionary),
    Texts(DeltaStrings),
    Changed(ChangedTexts),
}

/// Compressed page.
struct DataPage {
    bytes: Bytes,
    /// Size in bytes without compression.
    unpacked: usize,
    encoding: Encoding,
    slots: usize,
}

impl ColumnEncoder {
    /// Begins a column that has about as many values as `rows`.
    pub(super) fn new(about: ColumnDescPtr, kind: ColumnType, rows: usize) -> ColumnEncoder {
        ColumnEncoder {
            about,
            kind,
            values: match kind {
                ColumnType::Bool => PageValues::Flags(Vec::with_capacity(rows)),
                ColumnType::Unique => PageValues::Texts(DeltaStrings::default()),
                ColumnType::Changed => PageValues::Changed(ChangedTexts::with_capacity(rows)),
                ColumnType::Text | ColumnType::Fraction => {
                    PageValues::Words(Dictionary::with_capacity(rows))
                }
                _ => PageValues::Numbers(Vec::with_capacity(rows)),
            },
            slots: 0,
            definition: 0,
            definitions: Vec::new(),
            repetitions: Vec::new(),
            nulls: 0,
            bounds: None,
            pages: Vec::new(),
            full: None,
        }
    }

    /// Adds slots with these levels.
    fn push_levels(&mut self, definition: i16, repetition: i16, times: usize) {
        let definition = definition as u32;
        if self.slots == 0 {
            self.definition = definition;
        }
        if definition != self.definition || !self.definitions.is_empty() {
            self.definitions.resize(self.slots, self.definition);
            self.definitions.resize(self.slots + times, definition);
        }
        if self.is_list() {
            self.repetitions
                .resize(self.repetitions.len() + times, repetition as u32);
        }
        self.slots += times;
    }

    /// Ends the page if its texts or its dictionary have become too long. A block is not divided.
    fn end_long_page(&mut self, compressor: &mut PageCompressor) -> io::Result<()> {
        match &mut self.values {
            PageValues::Words(words) if words.bytes() >= PAGE_BYTES => {
                self.end_page(compressor)?;
                let texts = PageValues::Texts(DeltaStrings::default());
                if let PageValues::Words(words) = std::mem::replace(&mut self.values, texts) {
                    self.full = Some(words);
                }
                Ok(())
            }
            PageValues::Texts(texts) if texts.bytes() >= PAGE_BYTES => self.end_page(compressor),
            PageValues::Changed(texts) if texts.new_bytes() >= PAGE_BYTES => {
                self.end_page(compressor)
            }
            _ => Ok(()),
        }
    }

    fn end_page(&mut self, compressor: &mut PageCompressor) -> io::Result<()> {
        if self.slots == 0 {
            return Ok(());
        }
        let page = compressor.begin();
        let levels = [
            (&mut self.repetitions, self.about.max_rep_level()),
            (&mut self.definitions, self.about.max_def_level()),
        ];
        for (levels, highest) in levels {
            if highest == 0 {
                continue;
            }
            page.extend_from_slice(&[0; 4]);
            let at = page.len();
            let width = width(highest as u64);
            match levels.is_empty() {
                true => push_run(page, self.definition, self.slots, width),
                false => push_runs(page, levels, width),
            }
            let length = ((page.len() - at) as u32).to_le_bytes();
            page[at - 4..at].copy_from_slice(&length);
            levels.clear();
        }
        let (encoding, (bytes, unpacked)) = match &mut self.values {
            PageValues::Numbers(numbers) => {
                self.bounds = bounds(numbers);
                push_deltas(page, numbers);
                numbers.clear();
                let page = compressor.end(Level::Packed)?;
                (Encoding::DELTA_BINARY_PACKED, page)
            }
            PageValues::Flags(flags) => {
                push_flags(page, flags);
                flags.clear();
                (Encoding::PLAIN, compressor.end(Level::Packed)?)
            }
            PageValues::Words(words) => {
                words.take(page);
                (Encoding::RLE_DICTIONARY, compressor.end(Level::Packed)?)
            }
            PageValues::Texts(texts) => {
                texts.take(page);
                (Encoding::DELTA_BYTE_ARRAY, compressor.end(Level::Text)?)
            }
            // Spark before 3.5.7 misreads `DELTA_LENGTH_BYTE_ARRAY` (SPARK-52240).
            PageValues::Changed(texts) => (Encoding::PLAIN, compressor.end_with(texts)?),
        };
        self.pages.push(DataPage {
            bytes,
            unpacked,
            encoding,
            slots: self.slots,
        });
        self.slots = 0;
        Ok(())
    }

    /// Adds the next column of a block, in these of its rows.
    pub(super) fn push(
        &mut self,
        cells: &mut CellReader<'_>,
        records: Records<'_>,
        rows: usize,
        chosen: Range<usize>,
        compressor: &mut PageCompressor,
    ) -> io::Result<()> {
        match cells.take(1)[0] {
            NULL => self.push_nulls(chosen.len()),
            SAME if self.is_list() => {
                let begin = cells.at;
                for _ in chosen {
                    cells.at = begin;
                    self.push_list(cells, true);
                }
            }
            SAME => {
                self.push_values(cells, 1, 0..1);
                self.repeat(chosen.len() - 1);
                self.push_levels(1, 0, chosen.len());
            }
            ALL => {
                self.push_levels(1, 0, chosen.len());
                self.push_values(cells, rows, chosen);
            }
            FIELD => {
                self.push_levels(1, 0, chosen.len());
                let offset = cells.take(1)[0].into();
                self.push_fields(records, offset, chosen);
            }
            SOME => {
                let present = cells.take(rows);
                self.push_some(cells, present, chosen);
            }
            form => unreachable!("no form {form}"),
        }
        self.end_long_page(compressor)
    }

    fn push_nulls(&mut self, rows: usize) {
        self.nulls += rows as u64;
        self.push_levels(0, 0, rows);
    }

    /// Adds the values of the chosen rows, of which some have none.
    fn push_some(&mut self, cells: &mut CellReader<'_>, present: &[u8], chosen: Range<usize>) {
        if self.is_list() {
            for (row, byte) in present.iter().enumerate() {
                match (*byte != 0, chosen.contains(&row)) {
                    (true, is_chosen) => self.push_list(cells, is_chosen),
                    (false, true) => self.push_nulls(1),
                    (false, false) => {}
                }
            }
            return;
        }
        let before = count(&present[..chosen.start]);
        let values = count(&present[chosen.clone()]);
        self.push_values(cells, count(present), before..before + values);
        if values == chosen.len() {
            return self.push_levels(1, 0, values);
        }
        for byte in &present[chosen] {
            match byte {
                0 => self.push_nulls(1),
                _ => self.push_levels(1, 0, 1),
            }
        }
    }

    /// Adds the next list, or leaves it out.
    fn push_list(&mut self, cells: &mut CellReader<'_>, is_chosen: bool) {
        let items = cells.number() as usize;
        let present = cells.take(items);
        let values = count(present);
        if !is_chosen {
            return self.push_values(cells, values, 0..0);
        }
        self.push_values(cells, values, 0..values);
        self.nulls += (items - values) as u64;
        if items == 0 {
            self.push_levels(1, 0, 1);
        }
        for (nth, byte) in present.iter().enumerate() {
            self.push_levels(if *byte == 0 { 2 } else { 3 }, (nth > 0).into(), 1);
        }
    }

    /// Whether the values are items of lists.
    fn is_list(&self) -> bool {
        self.about.max_rep_level() > 0
    }

    /// Reads the next values of a column, and adds the chosen ones.
    fn push_values(&mut self, cells: &mut CellReader<'_>, count: usize, chosen: Range<usize>) {
        match &mut self.values {
            PageValues::Numbers(numbers) if self.kind == ColumnType::Number => {
                let (values, _) = cells.take(8 * count).as_chunks();
                numbers.extend(values[chosen].iter().map(|&it| i64::from_le_bytes(it)));
            }
            PageValues::Numbers(numbers) => {
                let (values, _) = cells.take(4 * count).as_chunks();
                let values = values[chosen].iter().map(|&it| i32::from_le_bytes(it));
                numbers.extend(values.map(i64::from));
            }
            PageValues::Flags(flags) => {
                flags.extend(cells.take(count)[chosen].iter().map(|&it| it != 0));
            }
            PageValues::Words(words) if self.kind == ColumnType::Fraction => {
                let (values, _) = cells.take(8 * count).as_chunks();
                for &value in &values[chosen] {
                    words.push_fraction(f64::from_le_bytes(value));
                }
            }
            PageValues::Words(words) => {
                cells.each_text(count, chosen, |text| words.push_text(text));
            }
            PageValues::Texts(texts) => cells.each_text(count, chosen, |text| texts.push(text)),
            PageValues::Changed(_) => unreachable!("texts are stored as changes"),
        }
    }

    /// Adds the values at an offset in the records of rows.
    fn push_fields(&mut self, records: Records<'_>, offset: usize, rows: Range<usize>) {
        match &mut self.values {
            PageValues::Numbers(numbers) => {
                let fields = records.fields(offset, rows);
                numbers.extend(fields.map(|it| i64::from(u32::from_le_bytes(*it))));
            }
            PageValues::Flags(flags) => {
                flags.extend(records.fields(offset, rows).map(|[it]| *it != 0));
            }
            PageValues::Words(words) => {
                words.push_words(records.fields(offset, rows));
            }
            PageValues::Changed(texts) => texts.push(records, offset, rows),
            PageValues::Texts(_) => unreachable!("texts are not in records"),
        }
    }

    /// Adds the last value again.
    fn repeat(&mut self, times: usize) {
        match &mut self.values {
            PageValues::Numbers(numbers) => repeat_last(numbers, times),
            PageValues::Flags(flags) => repeat_last(flags, times),
            PageValues::Words(words) => words.repeat(times),
            PageValues::Texts(texts) => texts.repeat(times),
            PageValues::Changed(_) => unreachable!("texts are stored as changes"),
        }
    }

    /// The compressed pages and the metadata of the column. Removes all values, and keeps the
    /// memory.
    pub(super) fn finish(
        &mut self,
        rows: usize,
        compressor: &mut PageCompressor,
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        self.end_page(compressor)?;
        if let Some(words) = self.full.take() {
            self.values = PageValues::Words(words);
        }
        let mut out = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut out);
        let mut unpacked = 0;
        let mut write = |page: Page, bytes: usize| {
            let spec = writer.write_page(CompressedPage::new(page, bytes))?;
            unpacked += spec.uncompressed_size;
            Ok::<_, ParquetError>(spec.offset as i64)
        };
        let mut encodings = vec![Encoding::RLE];
        let mut dictionary_at = None;
        if let PageValues::Words(words) = &mut self.values {
            let (values, count) = words.values();
            let page = Page::DictionaryPage {
                buf: compressor.compress(values)?,
                num_values: count as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            dictionary_at = Some(write(page, values.len())?);
            encodings.push(Encoding::PLAIN);
            words.clear();
        }
        let (mut data_at, mut slots) = (None, 0);
        for page in self.pages.drain(..) {
            let (encoding, unpacked) = (page.encoding, page.unpacked);
            slots += page.slots;
            let page = Page::DataPage {
                buf: page.bytes,
                num_values: page.slots as u32,
                encoding,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            };
            let at = write(page, unpacked)?;
            data_at.get_or_insert(at);
            if !encodings.contains(&encoding) {
                encodings.push(encoding);
            }
        }
        // The least and the greatest text seldom exclude a group from a query.
        let nulls = Some(std::mem::take(&mut self.nulls));
        let statistics = match (self.about.physical_type(), self.bounds.take()) {
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
        let metadata = ColumnChunkMetaData::builder(self.about.clone())
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

/// Values among items or rows.
fn count(present: &[u8]) -> usize {
    present.iter().filter(|&&byte| byte != 0).count()
}

/// The least and the greatest number. A fold over the numbers themselves is compiled to vectors.
fn bounds(numbers: &[i64]) -> Option<(i64, i64)> {
    let first = *numbers.first()?;
    let least = numbers.iter().fold(first, |least, &it| least.min(it));
    let greatest = numbers.iter().fold(first, |greatest, &it| greatest.max(it));
    Some((least, greatest))
}
