//! Parquet: rows put together into row groups, which threads encode.
//!
//! Worker threads append rows in a binary form ([`Rows::Table`](crate::report::rows::Rows)). Groups
//! have a fixed number of rows, so that the file depends on neither threads nor chunks, and are
//! written in order.

mod column;
mod dictionary;
mod encoding;

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
use zstd::bulk::Compressor;

use crate::input::lock;
use crate::report::rows::{ColumnType, Schema};
use crate::report::table::column::{CellReader, ColumnEncoder};

/// Parquet file that is being written.
pub(crate) struct Table {
    writer: SerializedFileWriter<FileBytes>,
    /// Bytes of the file that have not been taken.
    written: FileBytes,
    encoder: Arc<GroupEncoder>,
    /// Rows of the next group.
    group: Group,
    /// Rows of each group but the last.
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
        let group = std::mem::take(&mut self.group);
        self.group.blocks.reserve(group.blocks.len());
        let encoder = Arc::clone(&self.encoder);
        let thread = thread::Builder::new().name("encoder".to_owned());
        let group = thread.spawn(move || encoder.encode(&group, rows))?;
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
}

impl GroupEncoder {
    fn new(schema: Schema) -> Result<GroupEncoder, ParquetError> {
        let fields = schema.0.iter().map(|(name, kind)| field(name, *kind));
        let fields = fields.collect::<Result<_, _>>()?;
        let root = Arc::new(
            Type::group_type_builder("rows")
                .with_fields(fields)
                .build()?,
        );
        let properties = WriterProperties::builder()
            .set_created_by(format!("arbiter {}", env!("CARGO_PKG_VERSION")));
        Ok(GroupEncoder {
            schema,
            columns: SchemaDescriptor::new(root.clone()).columns().to_vec(),
            root,
            properties: Arc::new(properties.build()),
        })
    }

    /// Encodes the first rows of a group.
    fn encode(&self, group: &Group, rows: usize) -> EncodedGroup {
        let kinds = self.schema.0.iter().map(|(_, kind)| *kind);
        let mut columns: Vec<ColumnEncoder<'_>> = self
            .columns
            .iter()
            .zip(kinds)
            .map(|(about, kind)| ColumnEncoder::new(about.clone(), kind))
            .collect();
        let mut cells = CellReader {
            bytes: &group.blocks,
            at: 0,
        };
        let (mut first, mut rest) = (group.skipped, rows);
        while cells.at < group.blocks.len() {
            let (_length, of_block) = (cells.number(), cells.number() as usize);
            let chosen = first..of_block.min(first + rest);
            (first, rest) = (0, rest - chosen.len());
            for column in &mut columns {
                column.push(&mut cells, of_block, chosen.clone());
            }
        }
        let mut zstd = Compressor::new(1)?;
        columns
            .into_iter()
            .map(|column| column.finish(rows, &mut zstd))
            .collect()
    }
}

/// Type of a column; every value may be null.
fn field(name: &str, kind: ColumnType) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnType::Text | ColumnType::Unique | ColumnType::List => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        }
        ColumnType::Number => (Physical::INT64, None),
        ColumnType::Int16 | ColumnType::Int16List => {
            let logical = LogicalType::integer(16, true);
            (Physical::INT32, Some(logical))
        }
        ColumnType::Date => (Physical::INT32, Some(LogicalType::Date)),
        ColumnType::Time => {
            let logical = LogicalType::time(false, TimeUnit::MILLIS);
            (Physical::INT32, Some(logical))
        }
        ColumnType::Fraction => (Physical::DOUBLE, None),
        ColumnType::Bool => (Physical::BOOLEAN, None),
    };
    let primitive = |name| {
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical.clone())
            .with_repetition(Repetition::OPTIONAL)
            .build()
            .map(Arc::new)
    };
    if !is_list(kind) {
        return primitive(name);
    }
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![primitive("element")?])
        .build()?;
    let list = Type::group_type_builder(name)
        .with_logical_type(Some(LogicalType::List))
        .with_repetition(Repetition::OPTIONAL)
        .with_fields(vec![Arc::new(list)])
        .build()?;
    Ok(Arc::new(list))
}

fn is_list(kind: ColumnType) -> bool {
    matches!(kind, ColumnType::List | ColumnType::Int16List)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use serde_json::{Value, json};

    use super::*;
    use crate::input::test_util::Random;
    use crate::report::Buffer;
    use crate::report::rows::Row;

    /// Values of a row.
    struct Values {
        number: Option<i64>,
        small: i16,
        run: Option<u64>,
        flag: Option<bool>,
        word: &'static str,
        text: String,
        list: Option<Vec<u8>>,
    }

    fn push(row: &mut Row<'_>, values: &[Values]) {
        row.text("same", "the same");
        row.small_numbers("same_list", Some(&[1, 2]));
        row.each(values, |row, it| {
            row.integer("number", it.and_then(|it| it.number));
        });
        row.each(values, |row, it| row.int16("small", it.map(|it| it.small)));
        row.each(values, |row, it| {
            row.number("run", it.and_then(|it| it.run));
        });
        row.each(values, |row, it| {
            row.flag("flag", it.and_then(|it| it.flag));
        });
        row.each(values, |row, it| {
            row.fraction("fraction", it.map(|it| f64::from(it.small) / -8.0));
        });
        row.each(values, |row, it| row.word("word", it.map(|it| it.word)));
        row.each(values, |row, it| row.text("text", it.map(|it| &*it.text)));
        row.each(values, |row, it| {
            row.unique("unique", it.map(|it| &*it.text));
        });
        row.each(values, |row, it| {
            row.small_numbers("list", it.and_then(|it| it.list.as_deref()));
        });
        row.number("missing", None);
    }

    /// Numbers of every size, runs, missing values, lists, and texts beyond a page, row by row and
    /// in blocks, also of more rows than a group.
    #[test]
    fn values_are_read_back() {
        let mut random = Random(0x7ab1e);
        let some = |random: &mut Random| random.below(3) > 0;
        let mut rows = Vec::new();
        for nth in 0..12_000_u64 {
            let bits = random.below(64) as u32;
            let number = (random.below(usize::MAX) as i64) >> bits;
            let number = if nth % 2 == 0 { number } else { !number };
            let small = i16::from(random.below(300) as u8 / 9);
            let list: Vec<u8> = (0..random.below(4)).map(|it| it as u8).collect();
            rows.push(Values {
                number: some(&mut random).then_some(number),
                small,
                run: (nth / 700 % 2 == 0).then_some(nth / 50),
                flag: some(&mut random).then_some(small > 9),
                word: ["", "a", "Nf3", "Qa1xb2#", "castling", "\0", "a\0"][random.below(7)],
                text: format!("{nth}{}", "x".repeat(random.below(900))),
                list: some(&mut random).then_some(list),
            });
        }
        let expected: Vec<Value> = rows
            .iter()
            .map(|it| {
                json!({
                    "same": "the same", "same_list": [1, 2],
                    "number": it.number, "small": it.small, "run": it.run, "flag": it.flag,
                    "fraction": f64::from(it.small) / -8.0, "word": it.word, "text": it.text,
                    "unique": it.text, "list": it.list, "missing": null,
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
                let (block, after) = rest.split_at((1 + random.below(most)).min(rest.len()));
                rest = after;
                let mut out = Buffer::default();
                let mut row = Row::block(&mut out, block.len());
                push(&mut row, block);
                row.end();
                file.extend(table.push(out.as_bytes()).unwrap());
            }
            file.extend(table.finish().unwrap());
            let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
            assert_eq!(reader.num_row_groups(), 5);
            let read = reader.get_row_iter(None).unwrap();
            let read: Vec<Value> = read.map(|row| row.unwrap().to_json_value()).collect();
            assert_eq!(read.len(), expected.len());
            for (nth, (row, expected)) in read.iter().zip(&expected).enumerate() {
                assert_eq!(row, expected, "row {nth}, blocks of {most} rows");
            }
        }
    }
}
