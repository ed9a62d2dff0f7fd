//! Parquet: rows put together into row groups, which threads encode.
//!
//! Worker threads append rows in a binary form ([`Rows::Table`](crate::report::rows::Rows)). Groups
//! end after a fixed number of rows, or of bytes of their blocks, so that the file depends on
//! neither threads nor chunks. They are written in order.

mod cells;
mod changed_texts;
mod column;
mod dictionary;
mod encoding;
mod pages;
mod sequences;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use bytes::Bytes;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type};

use crate::input::lock;
use crate::input::sync::Pool;
use crate::report::rows::{ColumnType, Schema};
use crate::report::table::cells::CellReader;
use crate::report::table::column::ColumnEncoder;
use crate::report::table::pages::PageCompressor;

/// Size of a group's blocks, in bytes, at which it ends with fewer rows: games may come with their
/// movetext.
const GROUP_BYTES: usize = 16 << 20;

/// Parquet file that is being written.
pub(crate) struct Table {
    writer: SerializedFileWriter<FileBytes>,
    /// Bytes of the file that have not been taken.
    written: FileBytes,
    encoder: Arc<GroupEncoder>,
    /// Rows of the next group.
    group: Group,
    /// Rows of a group, unless their blocks are long.
    group_rows: usize,
    /// Groups that other threads encode, in order.
    running: VecDeque<JoinHandle<EncodedGroup>>,
    jobs: usize,
}

/// Blocks of binary rows.
#[derive(Default)]
struct Group {
    blocks: Vec<u8>,
    /// Rows of the first block that belong to the group before.
    skipped: usize,
    /// Rows of the blocks without these; those beyond a full group belong to the next.
    rows: usize,
}

/// Encoded columns of a group, each with its metadata.
type EncodedGroup = Result<Vec<(Bytes, ColumnCloseResult)>, ParquetError>;

/// Bytes that the file writer has written and the sink has not.
#[derive(Clone, Default)]
struct FileBytes(Arc<Mutex<Vec<u8>>>);

impl Write for FileBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Table {
    /// A table with these columns and this many rows a group, encoded on `jobs` threads.
    pub(crate) fn new(schema: Schema, group_rows: usize, jobs: usize) -> io::Result<Table> {
        let encoder = GroupEncoder::new(schema).map_err(io::Error::other)?;
        let written = FileBytes::default();
        let root = encoder.root.clone();
        let writer = SerializedFileWriter::new(written.clone(), root, encoder.properties.clone());
        Ok(Table {
            writer: writer.map_err(io::Error::other)?,
            written,
            encoder: Arc::new(encoder),
            group: Group::default(),
            group_rows,
            running: VecDeque::new(),
            jobs,
        })
    }

    /// Adds blocks of binary rows, and returns the bytes of the file that are ready.
    pub(crate) fn push(&mut self, blocks: &[u8]) -> io::Result<Vec<u8>> {
        let mut cells = CellReader {
            bytes: blocks,
            at: 0,
        };
        while cells.at < blocks.len() {
            let begin = cells.at;
            let (length, rows) = (cells.number() as usize, cells.number() as usize);
            cells.at = begin + length;
            let block = &blocks[begin..cells.at];
            self.group.blocks.extend_from_slice(block);
            self.group.rows += rows;
            if self.group.blocks.len() >= GROUP_BYTES && self.group.rows < self.group_rows {
                self.end_group(self.group.rows).map_err(io::Error::other)?;
            }
            while self.group.rows >= self.group_rows {
                let over = self.group.rows - self.group_rows;
                self.end_group(self.group_rows).map_err(io::Error::other)?;
                if over > 0 {
                    self.group.blocks.extend_from_slice(block);
                    self.group.skipped = rows - over;
                    self.group.rows = over;
                }
            }
        }
        Ok(self.take())
    }

    /// Ends the file, and returns the rest of it.
    pub(crate) fn finish(mut self) -> io::Result<Vec<u8>> {
        let mut end = || {
            if self.group.rows > 0 {
                self.end_group(self.group.rows)?;
            }
            while let Some(group) = self.running.pop_front() {
                self.append(group)?;
            }
            self.writer.finish()
        };
        end().map_err(io::Error::other)?;
        Ok(self.take())
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *lock(&self.written.0))
    }

    /// Encodes the first rows collected, on another thread if there may be one.
    fn end_group(&mut self, rows: usize) -> Result<(), ParquetError> {
        if self.running.len() == self.jobs
            && let Some(first) = self.running.pop_front()
        {
            self.append(first)?;
        }
        let next = Group {
            blocks: self.encoder.blocks.take().unwrap_or_default(),
            ..Group::default()
        };
        let group = std::mem::replace(&mut self.group, next);
        let encoder = Arc::clone(&self.encoder);
        let thread = thread::Builder::new().name("encoder".to_owned());
        let group = thread.spawn(move || encoder.encode(group, rows))?;
        self.running.push_back(group);
        match self.jobs {
            1 => self
                .running
                .pop_front()
                .map_or(Ok(()), |it| self.append(it)),
            _ => Ok(()),
        }
    }

    fn append(&mut self, group: JoinHandle<EncodedGroup>) -> Result<(), ParquetError> {
        let columns = group
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let mut group = self.writer.next_row_group()?;
        for (bytes, result) in columns {
            group.append_column(&bytes, result)?;
        }
        group.close().map(drop)
    }
}

/// Encodes row groups.
struct GroupEncoder {
    schema: Schema,
    root: Arc<Type>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
    /// Memory of groups that have been encoded, for others.
    blocks: Pool<Vec<u8>>,
    encoders: Pool<(Vec<ColumnEncoder>, PageCompressor)>,
}

impl GroupEncoder {
    /// Longest blocks of a group whose memory is kept, in bytes.
    const KEEP_BYTES: usize = 32 << 20;

    fn new(schema: Schema) -> Result<GroupEncoder, ParquetError> {
        let fields = schema.0.iter().map(|(name, kind)| field(name, *kind));
        let fields = fields.collect::<Result<_, _>>()?;
        let root = Arc::new(
            Type::group_type_builder("rows")
                .with_fields(fields)
                .build()?,
        );
        let properties = WriterProperties::builder()
            // In the form by which the readers of Java look for known faults of writers.
            .set_created_by(format!("arbiter version {}", env!("CARGO_PKG_VERSION")));
        Ok(GroupEncoder {
            schema,
            columns: SchemaDescriptor::new(root.clone()).columns().to_vec(),
            root,
            properties: Arc::new(properties.build()),
            blocks: Pool::default(),
            encoders: Pool::default(),
        })
    }

    /// Encoders of the columns of a group with this many rows.
    fn new_encoders(&self, rows: usize) -> Vec<ColumnEncoder> {
        let kinds = self.schema.0.iter().flat_map(|(_, kind)| match kind {
            ColumnType::Structs(fields) => fields.iter().map(|(_, kind)| *kind).collect(),
            ColumnType::List => vec![ColumnType::Text],
            ColumnType::Int16List => vec![ColumnType::Int16],
            kind => vec![*kind],
        });
        let columns = self.columns.iter().zip(kinds);
        columns
            .map(|(about, kind)| ColumnEncoder::new(about.clone(), kind, rows))
            .collect()
    }

    /// Encodes the first rows of a group.
    fn encode(&self, mut group: Group, rows: usize) -> EncodedGroup {
        let (mut columns, mut compressor) = match self.encoders.take() {
            Some(encoder) => encoder,
            None => (self.new_encoders(rows), PageCompressor::new()?),
        };
        let mut cells = CellReader {
            bytes: &group.blocks,
            at: 0,
        };
        let (mut first, mut rest) = (group.skipped, rows);
        while cells.at < group.blocks.len() {
            let _length = cells.number();
            let (of_block, records) = cells.records();
            let chosen = first..of_block.min(first + rest);
            (first, rest) = (0, rest - chosen.len());
            for column in &mut columns {
                column.push(
                    &mut cells,
                    records,
                    of_block,
                    chosen.clone(),
                    &mut compressor,
                )?;
            }
        }
        let encoded = columns
            .iter_mut()
            .map(|column| column.finish(rows, &mut compressor))
            .collect::<Result<_, _>>()?;
        if group.blocks.len() <= GroupEncoder::KEEP_BYTES {
            self.encoders.give((columns, compressor));
            group.blocks.clear();
            self.blocks.give(group.blocks);
        }
        Ok(encoded)
    }
}

/// Type of a column; every value may be null, other than a struct.
fn field(name: &str, kind: ColumnType) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnType::Text | ColumnType::Unique | ColumnType::Changed => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        }
        ColumnType::Number => (Physical::INT64, None),
        ColumnType::Int16 => (Physical::INT32, Some(LogicalType::integer(16, true))),
        ColumnType::Date => (Physical::INT32, Some(LogicalType::Date)),
        ColumnType::Time => {
            let logical = LogicalType::time(false, TimeUnit::MILLIS);
            (Physical::INT32, Some(logical))
        }
        ColumnType::Fraction => (Physical::DOUBLE, None),
        ColumnType::Bool => (Physical::BOOLEAN, None),
        ColumnType::List => return list(name, field("element", ColumnType::Text)?),
        ColumnType::Int16List => return list(name, field("element", ColumnType::Int16)?),
        ColumnType::Structs(fields) => {
            let fields = fields.iter().map(|(name, kind)| field(name, *kind));
            let element = Type::group_type_builder("element")
                .with_repetition(Repetition::REQUIRED)
                .with_fields(fields.collect::<Result<_, _>>()?)
                .build()?;
            return list(name, Arc::new(element));
        }
    };
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
        .map(Arc::new)
}

/// Type of a column of lists.
fn list(name: &str, element: Arc<Type>) -> Result<Arc<Type>, ParquetError> {
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element])
        .build()?;
    let list = Type::group_type_builder(name)
        .with_logical_type(Some(LogicalType::List))
        .with_repetition(Repetition::OPTIONAL)
        .with_fields(vec![Arc::new(list)])
        .build()?;
    Ok(Arc::new(list))
}

#[cfg(test)]
mod tests {
    use parquet::file::metadata::RowGroupMetaData;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use serde_json::{Value, json};

    use super::*;
    use crate::chess::fen::TextChange;
    use crate::input::test_util::Random;
    use crate::report::Buffer;
    use crate::report::block::{Block, ChangedText, SHORTEST_MATCH, word};
    use crate::report::rows::{Row, Rows};

    /// Values of a row.
    struct Values {
        number: Option<i64>,
        run: u32,
        flag: bool,
        fraction: Option<f64>,
        word: &'static str,
        text: String,
        list: Option<Vec<u8>>,
        changes: [TextChange; 3],
    }

    const WORDS: [&str; 7] = ["", "a", "Nf3", "Qa1xb2#", "castles", "\0", "a\0"];

    fn write_record(values: &Values, is_first: bool, record: &mut [u8; 32]) {
        let length = values.text.len();
        let all = [(0, 0, length), (length, 0, 0), (length, 0, 0)];
        let all = all.map(|(at, old, new)| change(at, old, new));
        let text = ChangedText {
            length: length as u32,
            changes: if is_first { all } else { values.changes },
        };
        record[..16].copy_from_slice(&text.to_bytes());
        record[16..20].copy_from_slice(&values.run.to_le_bytes());
        record[20] = values.flag.into();
        record[24..].copy_from_slice(&word(values.word.as_bytes()));
    }

    /// New bytes of a text.
    fn new(values: &Values, is_first: bool) -> String {
        if is_first {
            return values.text.clone();
        }
        let parts = values
            .changes
            .map(|it| (usize::from(it.at), usize::from(it.new_length)));
        parts
            .map(|(at, length)| &values.text[at..at + length])
            .concat()
    }

    fn change(at: usize, old: usize, new: usize) -> TextChange {
        let [at, old_length, new_length] = [at, old, new].map(|it| u8::try_from(it).unwrap());
        TextChange {
            at,
            old_length,
            new_length,
        }
    }

    fn push(row: &mut Row<'_>, values: &[Values]) {
        row.text("same", "the same");
        row.small_numbers("same_list", Some(&[1, 2]));
        let structs = [json!({"by": "w", "ply": 3}), json!({"by": null, "ply": 4})];
        let fields = &[("by", ColumnType::Text), ("ply", ColumnType::Number)];
        row.structs("same_structs", "; ", fields, Some(&structs));
        row.structs("no_structs", "; ", fields, Some(&structs[..0]));
        row.recorded("changed", ColumnType::Changed, 0, |_| {});
        row.recorded("run", ColumnType::Number, 16, |_| {});
        row.recorded("flag", ColumnType::Bool, 20, |_| {});
        row.recorded("word", ColumnType::Text, 24, |_| {});
        row.numbers("number", values, |it| it.number);
        row.numbers("all_numbers", values, |it| it.number.or(Some(-1)));
        row.fractions("fraction", values, |it| it.fraction);
        row.lists("list", values, |it| it.list.as_deref());
        row.number("missing", None);
    }

    /// A text of digits that keeps parts of another, and the changes.
    fn changed(random: &mut Random, nth: usize, old: &str) -> (String, [TextChange; 3]) {
        let (mut text, mut rest) = (String::new(), old);
        let changes = std::array::from_fn(|of_row| {
            let kept = match random.below(3) {
                0 => 0,
                _ => random.below(rest.len() + 1),
            };
            let kept = if kept < SHORTEST_MATCH { 0 } else { kept };
            text.push_str(&rest[..kept]);
            let at = text.len();
            rest = &rest[kept..];
            // The last change ends both texts.
            let dropped = match of_row {
                2 => rest.len(),
                _ => random.below(rest.len() + 1),
            };
            rest = &rest[dropped..];
            let added = random.below(if text.len() > 200 { 1 } else { 40 });
            let digits = (nth * 7_919 + of_row).to_string().repeat(10);
            text.push_str(&digits[..added.min(digits.len())]);
            change(at, dropped, text.len() - at)
        });
        (text, changes)
    }

    /// Numbers of every size, runs, missing values, lists, and texts beyond a block of zstd, row by
    /// row and in blocks, also of more rows than a group.
    #[test]
    fn values_are_read_back() {
        let mut random = Random(0x7ab1e);
        let some = |random: &mut Random| random.below(3) > 0;
        let mut rows: Vec<Values> = Vec::new();
        for nth in 0..12_000 {
            let bits = random.below(64) as u32;
            let number = (random.below(usize::MAX) as i64) >> bits;
            let number = if nth % 2 == 0 { number } else { !number };
            let fraction = f64::from(random.below(300) as u8) / -8.0;
            let list: Vec<u8> = (0..random.below(4)).map(|it| it as u8).collect();
            let last = rows.last().map_or("", |row| &row.text);
            let (text, changes) = changed(&mut random, nth, last);
            rows.push(Values {
                number: some(&mut random).then_some(number),
                run: (nth / 50) as u32,
                flag: some(&mut random),
                fraction: some(&mut random).then_some(fraction),
                word: WORDS[random.below(WORDS.len())],
                text,
                list: some(&mut random).then_some(list),
                changes,
            });
        }
        let expected: Vec<Value> = rows
            .iter()
            .map(|it| {
                json!({
                    "same": "the same", "same_list": [1, 2], "changed": it.text,
                    "same_structs": [{"by": "w", "ply": 3}, {"by": null, "ply": 4}],
                    "no_structs": [],
                    "run": it.run, "flag": it.flag, "word": it.word, "number": it.number,
                    "all_numbers": it.number.unwrap_or(-1), "fraction": it.fraction,
                    "list": it.list, "missing": null,
                })
            })
            .collect();
        let mut schema = Schema::default();
        push(&mut Row::schema(&mut schema), &[]);
        for most in [1, 7, 300, 9_000] {
            let mut table = Table::new(schema.clone(), 2_500, 2).unwrap();
            let mut file = Vec::new();
            let mut rest = &rows[..];
            while !rest.is_empty() {
                let (of_block, after) = rest.split_at((1 + random.below(most)).min(rest.len()));
                rest = after;
                let mut out = Buffer::default();
                let mut block = Block::begin(&mut out);
                let mut all_new = String::new();
                for (nth, values) in of_block.iter().enumerate() {
                    block.push(|record| write_record(values, nth == 0, record));
                    all_new.push_str(&new(values, nth == 0));
                }
                block.end_rows(all_new.as_bytes());
                let mut row = Row::block(block);
                push(&mut row, of_block);
                row.end();
                file.extend(table.push(out.as_bytes()).unwrap());
            }
            file.extend(table.finish().unwrap());
            compare(file, &expected, most);
        }
    }

    fn text(nth: usize) -> String {
        format!("{nth}{}", "x".repeat(nth * 7_919 % 900))
    }

    /// Writes rows with texts of their own, beyond a page and a dictionary, each as a block.
    fn write_texts(rows: impl Iterator<Item = usize>, jobs: usize) -> Vec<u8> {
        let push = |mut row: Row<'_>, nth: usize| {
            row.text("text", &*text(nth));
            row.unique("unique", (nth % 3 != 1).then(|| text(nth)).as_deref());
            row.fraction("fraction", nth as f64 / 8.0);
            row.int16("small", Some((nth % 300) as i16 - 9));
            row.end();
        };
        let mut schema = Schema::default();
        push(Row::schema(&mut schema), 0);
        let mut table = Table::new(schema, 2_500, jobs).unwrap();
        let mut file = Vec::new();
        for nth in rows {
            let mut out = Buffer::default();
            push(Row::begin(&mut out, Rows::Table), nth);
            file.extend(table.push(out.as_bytes()).unwrap());
        }
        file.extend(table.finish().unwrap());
        file
    }

    #[test]
    fn texts_are_read_back() {
        let row = |nth: usize| {
            json!({
                "text": text(nth), "unique": (nth % 3 != 1).then(|| text(nth)),
                "fraction": nth as f64 / 8.0, "small": (nth % 300) as i16 - 9,
            })
        };
        let expected: Vec<Value> = (0..12_000).map(row).collect();
        compare(write_texts(0..12_000, 2), &expected, 1);
    }

    #[test]
    fn a_group_does_not_depend_on_those_before() {
        let file = write_texts((0..7_500).map(|nth| nth % 5_000), 1);
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        let sizes = |group: usize| {
            let group = reader.metadata().row_group(group);
            let columns = group.columns().iter();
            let sizes = columns.map(|it| [it.compressed_size(), it.uncompressed_size()]);
            sizes.collect::<Vec<_>>()
        };
        assert_eq!(sizes(2), sizes(0));
        assert_ne!(sizes(1), sizes(0));
    }

    #[test]
    fn a_group_of_long_texts_has_fewer_rows() {
        let push = |mut row: Row<'_>| {
            row.unique("unique", Some(&"x".repeat(1 << 20)));
            row.end();
        };
        let mut schema = Schema::default();
        push(Row::schema(&mut schema));
        let mut table = Table::new(schema, 2_500, 2).unwrap();
        let mut out = Buffer::default();
        push(Row::begin(&mut out, Rows::Table));
        let mut file = Vec::new();
        for _ in 0..40 {
            file.extend(table.push(out.as_bytes()).unwrap());
        }
        file.extend(table.finish().unwrap());
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        let groups = reader.metadata().row_groups();
        let rows: Vec<i64> = groups.iter().map(RowGroupMetaData::num_rows).collect();
        assert_eq!(rows, [16, 16, 8]);
    }

    fn compare(file: Vec<u8>, expected: &[Value], most: usize) {
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        assert_eq!(reader.num_row_groups(), 5);
        let read = reader.get_row_iter(None).unwrap();
        let read: Vec<Value> = read.map(|row| row.unwrap().to_json_value()).collect();
        assert_eq!(read.len(), expected.len());
        for (nth, (row, expected)) in read.iter().zip(expected).enumerate() {
            assert_eq!(row, expected, "row {nth}, blocks of {most} rows");
        }
    }
}
