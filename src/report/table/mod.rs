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
    /// Binary rows of the next group, and their number.
    rows: Vec<u8>,
    count: usize,
    /// Rows of each group but the last.
    group_rows: usize,
    /// Groups that other threads encode, in order.
    running: VecDeque<JoinHandle<EncodedGroup>>,
    jobs: usize,
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
            rows: Vec::new(),
            count: 0,
            group_rows,
            running: VecDeque::new(),
            jobs,
        })
    }

    /// Adds binary rows, and returns the bytes of the file that are ready.
    pub(crate) fn push(&mut self, mut rows: &[u8]) -> io::Result<Vec<u8>> {
        while let Some((length, _)) = rows.split_first_chunk() {
            let (row, rest) = rows.split_at(u32::from_le_bytes(*length) as usize);
            self.rows.extend_from_slice(row);
            self.count += 1;
            rows = rest;
            if self.count == self.group_rows {
                self.end_group().map_err(io::Error::other)?;
            }
        }
        Ok(self.take())
    }

    /// Ends the file, and returns the rest of it.
    pub(crate) fn finish(mut self) -> io::Result<Vec<u8>> {
        let mut end = || {
            if self.count > 0 {
                self.end_group()?;
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

    /// Encodes the rows collected, on another thread if there may be one.
    fn end_group(&mut self) -> Result<(), ParquetError> {
        if self.running.len() == self.jobs
            && let Some(first) = self.running.pop_front()
        {
            self.append(first)?;
        }
        let rows = std::mem::take(&mut self.rows);
        let count = std::mem::take(&mut self.count);
        self.rows.reserve(rows.len());
        let encoder = Arc::clone(&self.encoder);
        let thread = thread::Builder::new().name("encoder".to_owned());
        let group = thread.spawn(move || encoder.encode(&rows, count))?;
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

    /// Encodes binary rows.
    fn encode(&self, rows: &[u8], count: usize) -> EncodedGroup {
        let kinds = self.schema.0.iter().map(|(_, kind)| *kind);
        let pairs = self.columns.iter().zip(kinds.clone());
        let mut columns: Vec<ColumnEncoder<'_>> = pairs
            .map(|(about, kind)| ColumnEncoder::new(about.clone(), kind))
            .collect();
        let mut cells = CellReader { bytes: rows, at: 0 };
        while cells.at < rows.len() {
            // The length of the row.
            cells.number::<4>();
            for (column, kind) in columns.iter_mut().zip(kinds.clone()) {
                column.push(kind, &mut cells);
            }
        }
        let mut zstd = Compressor::new(1)?;
        columns
            .into_iter()
            .map(|column| column.finish(count, &mut zstd))
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
    use crate::report::rows::{Row, Rows};

    /// Numbers of every size, runs, missing values, lists, and texts beyond a page.
    #[test]
    fn values_are_read_back() {
        let mut random = Random(0x7ab1e);
        let mut schema = Schema::default();
        let mut expected = Vec::new();
        let mut out = Buffer::default();
        for nth in 0..7_000_u64 {
            let bits = random.below(64) as u32;
            let number = (random.below(usize::MAX) as i64) >> bits;
            let number = if nth % 2 == 0 { number } else { !number };
            let small = i16::from(random.below(300) as u8 / 9);
            let run = (nth / 700 % 2 == 0).then_some(nth / 50);
            let some = |random: &mut Random| random.below(3) > 0;
            let (is_number, is_flag) = (some(&mut random), some(&mut random));
            let text = format!("{nth}{}", "x".repeat(random.below(900)));
            let word = ["", "a", "Nf3", "Qa1xb2#", "castling", "\0", "a\0"][random.below(7)];
            let list: Vec<u8> = (0..random.below(4)).map(|it| it as u8).collect();
            let list = (random.below(4) > 0).then_some(&list[..]);
            let values = |mut row: Row<'_>| {
                row.integer("number", is_number.then_some(number));
                row.int16("small", Some(small));
                row.number("run", run);
                row.flag("flag", is_flag.then_some(small > 9));
                row.fraction("fraction", Some(f64::from(small) / -8.0));
                row.text("word", word);
                row.text("text", &*text);
                row.unique("unique", Some(&*text));
                row.small_numbers("list", list);
                row.end();
            };
            if nth == 0 {
                values(Row::schema(&mut schema));
            }
            values(Row::begin(&mut out, Rows::Table));
            expected.push(json!({
                "number": is_number.then_some(number), "small": small, "run": run,
                "flag": is_flag.then_some(small > 9), "fraction": f64::from(small) / -8.0,
                "word": word, "text": text, "unique": text, "list": list,
            }));
        }
        let mut table = Table::new(schema, 5_000, 2).unwrap();
        let mut file = table.push(out.as_bytes()).unwrap();
        file.extend(table.finish().unwrap());
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let rows: Vec<Value> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().to_json_value())
            .collect();
        for (nth, (row, expected)) in rows.iter().zip(&expected).enumerate() {
            assert_eq!(row, expected, "row {nth}");
        }
        assert_eq!(rows.len(), expected.len());
    }
}
