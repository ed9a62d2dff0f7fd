//! Parquet: rows put together into row groups, which threads encode.
//!
//! Worker threads append rows in a binary form ([`Rows::Table`](crate::report::rows::Rows)). Groups
//! have a fixed number of rows, so that the file depends on neither threads nor chunks, and are
//! written in order.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use bytes::Bytes;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel,
};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type};

use crate::input::lock;
use crate::report::rows::{ColumnType, NULL, Schema};

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
        let group = thread.spawn(move || encoder.encode(rows, count))?;
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

/// Values of a column in one group.
enum Values {
    Bytes(Vec<ByteArray>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Bool(Vec<bool>),
}

/// Values of a column with their definition levels, and for a list the repetition levels.
struct Column {
    values: Values,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
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
        let compression = Compression::ZSTD(ZstdLevel::default());
        let mut properties = WriterProperties::builder()
            .set_compression(compression)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(format!("arbiter {}", env!("CARGO_PKG_VERSION")));
        for (name, kind) in &schema.0 {
            let column = || ColumnPath::from(name.as_str());
            properties = match kind {
                // The least and the greatest text seldom exclude a group from a query, and cost
                // more than the dictionary.
                ColumnType::Text => {
                    properties.set_column_statistics_enabled(column(), EnabledStatistics::None)
                }
                ColumnType::Unique => properties
                    .set_column_dictionary_enabled(column(), false)
                    .set_column_statistics_enabled(column(), EnabledStatistics::None),
                ColumnType::Number => properties
                    .set_column_dictionary_enabled(column(), false)
                    .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED),
                _ => properties,
            };
        }
        Ok(GroupEncoder {
            schema,
            columns: SchemaDescriptor::new(root.clone()).columns().to_vec(),
            root,
            properties: Arc::new(properties.build()),
        })
    }

    /// Encodes binary rows.
    fn encode(&self, rows: Vec<u8>, count: usize) -> EncodedGroup {
        let kinds = self.schema.0.iter().map(|(_, kind)| *kind);
        let mut columns: Vec<Column> = kinds.clone().map(|kind| Column::new(kind, count)).collect();
        // Text of the columns refers to the rows.
        let rows = Bytes::from(rows);
        let mut cells = CellReader { rows: &rows, at: 0 };
        while cells.at < rows.len() {
            // The length of the row.
            cells.number::<4>();
            for (column, kind) in columns.iter_mut().zip(kinds.clone()) {
                column.push(kind, &mut cells);
            }
        }
        let pairs = columns.iter().zip(&self.columns);
        pairs
            .map(|(column, about)| self.column(column, about))
            .collect()
    }

    fn column(
        &self,
        column: &Column,
        about: &ColumnDescPtr,
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let mut out = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut out));
        let mut writer = get_column_writer(about.clone(), self.properties.clone(), pages);
        let Column {
            values,
            definitions,
            repetitions,
        } = column;
        let repetitions = (about.max_rep_level() > 0).then_some(&repetitions[..]);
        let definitions = Some(&definitions[..]);
        match (&mut writer, values) {
            (ColumnWriter::ByteArrayColumnWriter(writer), Values::Bytes(values)) => {
                writer.write_batch(values, definitions, repetitions)?
            }
            (ColumnWriter::Int32ColumnWriter(writer), Values::Int32(values)) => {
                writer.write_batch(values, definitions, repetitions)?
            }
            (ColumnWriter::Int64ColumnWriter(writer), Values::Int64(values)) => {
                writer.write_batch(values, definitions, repetitions)?
            }
            (ColumnWriter::DoubleColumnWriter(writer), Values::Double(values)) => {
                writer.write_batch(values, definitions, repetitions)?
            }
            (ColumnWriter::BoolColumnWriter(writer), Values::Bool(values)) => {
                writer.write_batch(values, definitions, repetitions)?
            }
            _ => unreachable!("the writer is that of the column's type"),
        };
        let result = writer.close()?;
        Ok((out.into_inner()?.into(), result))
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

impl Column {
    fn new(kind: ColumnType, rows: usize) -> Column {
        Column {
            values: match kind {
                ColumnType::Text | ColumnType::Unique | ColumnType::List => {
                    Values::Bytes(Vec::with_capacity(rows))
                }
                ColumnType::Int16 | ColumnType::Int16List | ColumnType::Date | ColumnType::Time => {
                    Values::Int32(Vec::with_capacity(rows))
                }
                ColumnType::Number => Values::Int64(Vec::with_capacity(rows)),
                ColumnType::Fraction => Values::Double(Vec::with_capacity(rows)),
                ColumnType::Bool => Values::Bool(Vec::with_capacity(rows)),
            },
            definitions: Vec::with_capacity(rows),
            repetitions: Vec::new(),
        }
    }

    /// Adds the next cell.
    fn push(&mut self, kind: ColumnType, cells: &mut CellReader<'_>) {
        if cells.number::<1>() == u64::from(NULL) {
            self.level(0, is_list(kind).then_some(0));
            return;
        }
        if is_list(kind) {
            let items = cells.number::<4>();
            for nth in 0..items {
                self.push_value(cells);
                self.level(3, Some(i16::from(nth > 0)));
            }
            if items == 0 {
                self.level(1, Some(0));
            }
        } else {
            self.push_value(cells);
            self.level(1, None);
        }
    }

    fn push_value(&mut self, cells: &mut CellReader<'_>) {
        match &mut self.values {
            Values::Bytes(values) => values.push(cells.text()),
            Values::Int32(values) => values.push(cells.number::<4>() as i32),
            Values::Int64(values) => values.push(cells.number::<8>() as i64),
            Values::Double(values) => values.push(f64::from_bits(cells.number::<8>())),
            Values::Bool(values) => values.push(cells.number::<1>() != 0),
        }
    }

    fn level(&mut self, definition: i16, repetition: Option<i16>) {
        self.definitions.push(definition);
        self.repetitions.extend(repetition);
    }
}

/// Reads binary rows.
struct CellReader<'a> {
    rows: &'a Bytes,
    at: usize,
}

impl CellReader<'_> {
    /// The next number of `N` bytes, the lowest first.
    fn number<const N: usize>(&mut self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(&self.rows[self.at..self.at + N]);
        self.at += N;
        u64::from_le_bytes(bytes)
    }

    fn text(&mut self) -> ByteArray {
        let length = self.number::<4>() as usize;
        let text = self.rows.slice(self.at..self.at + length);
        self.at += length;
        text.into()
    }
}
