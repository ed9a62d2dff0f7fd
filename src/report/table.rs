//! Parquet: binary rows put together into row groups, which threads encode.
//!
//! Groups end after a fixed number of rows or of bytes, so that the file depends on neither threads
//! nor chunks. They are written in order.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use bytes::Bytes;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel,
};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer,
};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type};

use crate::report::rows::{ColumnType, Schema};

/// Size of a group's binary rows, in bytes, at which it ends with fewer rows: games may come with
/// their movetext.
const GROUP_BYTES: usize = 32 << 20;

/// Rows whose values are passed to the column writers at once, so that they stay in the cache.
const BATCH_ROWS: usize = 1 << 8;

/// Parquet file that is being written.
pub(crate) struct ParquetFile {
    /// Writes to memory, from which the sink takes the bytes.
    writer: SerializedFileWriter<Vec<u8>>,
    encoder: Arc<GroupEncoder>,
    /// Binary rows of the next group, and those after it.
    rows: Vec<u8>,
    /// Places of their first values. To find them later, from one row to the next, would wait for
    /// the memory at every row.
    cells: Vec<usize>,
    /// Rows of a group, unless they are long.
    group_rows: usize,
    /// Groups that other threads encode, in order.
    running: VecDeque<JoinHandle<EncodedGroup>>,
    jobs: usize,
}

/// Encoded columns of a group, each with its metadata.
type EncodedGroup = Result<Vec<(Vec<u8>, ColumnCloseResult)>, ParquetError>;

impl ParquetFile {
    /// A table with these columns and this many rows a group, encoded on `jobs` threads.
    pub(crate) fn new(schema: &Schema, group_rows: usize, jobs: usize) -> io::Result<ParquetFile> {
        let encoder = GroupEncoder::new(schema).map_err(io::Error::other)?;
        let (root, properties) = (encoder.root.clone(), encoder.properties.clone());
        let writer = SerializedFileWriter::new(Vec::new(), root, properties);
        Ok(ParquetFile {
            writer: writer.map_err(io::Error::other)?,
            encoder: Arc::new(encoder),
            rows: Vec::new(),
            cells: Vec::new(),
            group_rows,
            running: VecDeque::new(),
            jobs,
        })
    }

    /// Adds binary rows, and returns the bytes of the file that are ready.
    pub(crate) fn push(&mut self, rows: &[u8]) -> io::Result<Vec<u8>> {
        let mut end = self.rows.len();
        self.rows.extend_from_slice(rows);
        while let Some(length) = self.rows[end..].first_chunk() {
            self.cells.push(end + 4);
            end += u32::from_le_bytes(*length) as usize;
            if self.cells.len() == self.group_rows || end >= GROUP_BYTES {
                self.end_group(end).map_err(io::Error::other)?;
                end = 0;
            }
        }
        Ok(self.take())
    }

    /// Ends the file, and returns the rest of it.
    pub(crate) fn finish(mut self) -> io::Result<Vec<u8>> {
        let mut end = || {
            if !self.cells.is_empty() {
                self.end_group(self.rows.len())?;
            }
            while let Some(group) = self.running.pop_front() {
                self.append(group)?;
            }
            self.writer.finish()
        };
        end().map_err(io::Error::other)?;
        Ok(self.take())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(self.writer.inner_mut())
    }

    /// Encodes the rows up to `end`, on another thread if there may be one.
    fn end_group(&mut self, end: usize) -> Result<(), ParquetError> {
        if self.running.len() == self.jobs
            && let Some(first) = self.running.pop_front()
        {
            self.append(first)?;
        }
        let mut next = Vec::with_capacity(self.rows.len());
        next.extend_from_slice(&self.rows[end..]);
        let cells = std::mem::take(&mut self.cells);
        let rows = std::mem::replace(&mut self.rows, next);
        let encoder = Arc::clone(&self.encoder);
        let thread = thread::Builder::new().name("encoder".to_owned());
        let group = thread.spawn(move || encoder.encode(rows, cells))?;
        self.running.push_back(group);
        if self.jobs == 1
            && let Some(only) = self.running.pop_front()
        {
            self.append(only)?;
        }
        Ok(())
    }

    fn append(&mut self, group: JoinHandle<EncodedGroup>) -> Result<(), ParquetError> {
        let columns = group
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let mut group = self.writer.next_row_group()?;
        for (bytes, result) in columns {
            group.append_column(&Bytes::from(bytes), result)?;
        }
        group.close().map(drop)
    }
}

/// Encodes row groups.
struct GroupEncoder {
    root: Arc<Type>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

impl GroupEncoder {
    fn new(schema: &Schema) -> Result<GroupEncoder, ParquetError> {
        let fields = schema.0.iter().map(|(name, kind)| field(name, *kind));
        let fields = fields.collect::<Result<_, _>>()?;
        let root = Type::group_type_builder("rows").with_fields(fields);
        let root = Arc::new(root.build()?);
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // In the form by which the readers of Java look for known faults of writers.
            .set_created_by(format!("arbiter version {}", env!("CARGO_PKG_VERSION")));
        for (name, kind) in &schema.0 {
            let column = ColumnPath::from(name.as_str());
            properties = match kind {
                // The places in a dictionary of many words are as good as random.
                ColumnType::Word => {
                    properties.set_column_compression(column, Compression::UNCOMPRESSED)
                }
                ColumnType::Unique => properties.set_column_dictionary_enabled(column, false),
                ColumnType::Number => properties
                    .set_column_dictionary_enabled(column.clone(), false)
                    .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED),
                _ => properties,
            };
        }
        Ok(GroupEncoder {
            columns: SchemaDescriptor::new(root.clone()).columns().to_vec(),
            root,
            properties: Arc::new(properties.build()),
        })
    }

    /// Encodes the binary rows of a group, whose first values are at `cells`.
    fn encode(&self, rows: Vec<u8>, mut cells: Vec<usize>) -> EncodedGroup {
        let mut pages: Vec<_> = self
            .columns
            .iter()
            .map(|_| TrackedWrite::new(Vec::new()))
            .collect();
        let mut writers: Vec<ColumnWriter<'_>> = self
            .columns
            .iter()
            .zip(&mut pages)
            .map(|(column, pages)| {
                let pages = Box::new(SerializedPageWriter::new(pages));
                get_column_writer(column.clone(), self.properties.clone(), pages)
            })
            .collect();
        let rows = ByteArray::from(rows);
        for cells in cells.chunks_mut(BATCH_ROWS) {
            for writer in &mut writers {
                write_cells(writer, &rows, cells)?;
            }
        }
        let closed: Vec<_> = writers.into_iter().map(ColumnWriter::close).collect();
        let columns = pages.into_iter().zip(closed);
        columns
            .map(|(pages, result)| Ok((pages.into_inner()?, result?)))
            .collect()
    }
}

/// Passes the next value of each row to the writer of a column. `cells` are the places of the
/// values in the rows.
fn write_cells(
    writer: &mut ColumnWriter<'_>,
    rows: &ByteArray,
    cells: &mut [usize],
) -> Result<(), ParquetError> {
    let bytes = rows.data();
    let number = |at: &mut usize| i64::from_le_bytes(take(bytes, at));
    match writer {
        ColumnWriter::BoolColumnWriter(writer) => {
            write_batch(writer, bytes, cells, |at| number(at) != 0)
        }
        ColumnWriter::Int32ColumnWriter(writer) => {
            write_batch(writer, bytes, cells, |at| number(at) as i32)
        }
        ColumnWriter::Int64ColumnWriter(writer) => write_batch(writer, bytes, cells, number),
        ColumnWriter::DoubleColumnWriter(writer) => {
            write_batch(writer, bytes, cells, |at| f64::from_bits(number(at) as u64))
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => write_batch(writer, bytes, cells, |at| {
            let length = u32::from_le_bytes(take(bytes, at)) as usize;
            let text = rows.slice(*at, length);
            *at += length;
            text
        }),
        _ => unreachable!("no column has such values"),
    }
}

fn write_batch<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    bytes: &[u8],
    cells: &mut [usize],
    value: impl Fn(&mut usize) -> T::T,
) -> Result<(), ParquetError> {
    let is_list = writer.get_descriptor().max_rep_level() > 0;
    let mut values = Vec::with_capacity(cells.len());
    if !is_list {
        let mut definitions = vec![1; cells.len()];
        for (at, definition) in cells.iter_mut().zip(&mut definitions) {
            match take(bytes, at) {
                [0] => *definition = 0,
                _ => values.push(value(at)),
            }
        }
        writer.write_batch(&values, Some(&definitions), None)?;
        return Ok(());
    }
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    for at in cells {
        let is_there = take(bytes, at) != [0];
        let items = match is_there {
            true => u32::from_le_bytes(take(bytes, at)),
            false => 0,
        };
        for nth in 0..items {
            let is_there = take(bytes, at) != [0];
            definitions.push(2 + i16::from(is_there));
            repetitions.push(i16::from(nth > 0));
            values.extend(is_there.then(|| value(at)));
        }
        if items == 0 {
            definitions.push(is_there.into());
            repetitions.push(0);
        }
    }
    writer.write_batch(&values, Some(&definitions), Some(&repetitions))?;
    Ok(())
}

/// The next bytes of a row.
#[inline(always)]
fn take<const N: usize>(bytes: &[u8], at: &mut usize) -> [u8; N] {
    let taken = bytes[*at..].first_chunk();
    *at += N;
    *taken.unwrap_or_else(|| unreachable!("rows are whole"))
}

/// Type of a column; every value may be null, other than a struct.
fn field(name: &str, kind: ColumnType) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnType::Text | ColumnType::Word | ColumnType::Unique => {
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
    use crate::input::test_util::Random;
    use crate::report::Buffer;
    use crate::report::rows::{Cell, Row, Rows};

    /// Numbers of every size, missing values, and lists.
    #[test]
    fn values_are_read_back() {
        let fields = &[("by", ColumnType::Text), ("ply", ColumnType::Number)];
        let structs = [json!({"by": "w", "ply": 3}), json!({"by": null, "ply": 4})];
        let mut random = Random(0x7ab1e);
        let mut rows = |mut row: Row<'_>, nth: usize| {
            let number = (random.below(usize::MAX) as i64) >> random.below(64);
            let number = if nth.is_multiple_of(2) {
                number
            } else {
                !number
            };
            let fraction = f64::from(random.below(300) as u8) / -8.0;
            let list: Vec<u8> = (0..random.below(4)).map(|it| it as u8).collect();
            let word = ["", "a", "Nf3", "Qa1xb2#", "castles", "\0", "a\0"][random.below(7)];
            let (flag, is_there) = (random.below(3) > 0, random.below(3) > 0);
            let some = |cell| Cell::some(is_there.then_some(cell), |cell| cell);
            let items = &list[..];
            row.text("same", "the same");
            row.structs("same_structs", "; ", fields, Some(&structs));
            row.structs("no_structs", "; ", fields, Some(&structs[..0]));
            row.word("word", word);
            row.field("flag", ColumnType::Bool, Cell::Flag(flag));
            row.field("number", ColumnType::Number, some(Cell::Integer(number)));
            row.field("all_numbers", ColumnType::Number, Cell::Integer(number));
            row.field(
                "fraction",
                ColumnType::Fraction,
                some(Cell::Fraction(fraction)),
            );
            row.field("list", ColumnType::Int16List, some(Cell::List(" ", &items)));
            row.number("missing", None);
            row.end();
            json!({
                "same": "the same",
                "same_structs": [{"by": "w", "ply": 3}, {"by": null, "ply": 4}],
                "no_structs": [], "word": word, "flag": flag, "all_numbers": number,
                "number": is_there.then_some(number),
                "fraction": is_there.then_some(fraction),
                "list": is_there.then_some(&list), "missing": null,
            })
        };
        let mut schema = Schema::default();
        rows(Row::schema(&mut schema), 0);
        let mut table = ParquetFile::new(&schema, 2_500, 2).unwrap();
        let (mut file, mut expected) = (Vec::new(), Vec::new());
        for nth in 0..12_000 {
            let mut out = Buffer::default();
            expected.push(rows(Row::begin(&mut out, Rows::Table), nth));
            file.extend(table.push(out.as_bytes()).unwrap());
        }
        file.extend(table.finish().unwrap());
        compare(file, &expected);
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
        let mut table = ParquetFile::new(&schema, 2_500, jobs).unwrap();
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
        compare(write_texts(0..12_000, 2), &expected);
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
        let mut table = ParquetFile::new(&schema, 2_500, 2).unwrap();
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
        assert_eq!(rows, [32, 8]);
    }

    fn compare(file: Vec<u8>, expected: &[Value]) {
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        assert_eq!(reader.num_row_groups(), 5);
        let read = reader.get_row_iter(None).unwrap();
        let read: Vec<Value> = read.map(|row| row.unwrap().to_json_value()).collect();
        assert_eq!(read.len(), expected.len());
        for (nth, (row, expected)) in read.iter().zip(expected).enumerate() {
            assert_eq!(row, expected, "row {nth}");
        }
    }
}
