//! Products ranked by BM25 in tantivy, with the settings of the Lucene peer: one field with all texts
//! repeated by weight, a second field with the prefixes of words, and fuzzy queries for words that no
//! document contains.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
    WhitespaceTokenizer,
};
use tantivy::{Index, IndexWriter, Searcher, TantivyDocument, Term};

/// Repetitions of title, vendor, type, author, tags, SKU, barcode, options, body.
const WEIGHTS: [usize; 9] = [5, 3, 3, 3, 2, 2, 2, 2, 1];
/// Index of the first text; key, stock, and popularity precede it.
const FIRST_TEXT: usize = 3;
const LONGEST_PREFIX: usize = 12;
const LONGEST_WORD: usize = 40;
/// Weight of a prefix match relative to a full match.
const PREFIX_BOOST: f32 = 0.5;
/// Weight of a fuzzy match relative to a full match.
const FUZZY_BOOST: f32 = 0.2;
const SHORTEST_FUZZY: usize = 4;
const SHORTEST_TWO_EDITS: usize = 8;
const WRITER_BYTES: usize = 256_000_000;

type Clauses = Vec<(Occur, Box<dyn Query>)>;

struct Word {
    text: String,
    /// The term of the word in the index, or none for a stop word.
    form: Option<String>,
    is_prefix: bool,
    /// Whether no document contains the word.
    is_unknown: bool,
}

pub struct Engine {
    searcher: Searcher,
    words: Field,
    prefixes: Field,
    plain: TextAnalyzer,
    analyzer: TextAnalyzer,
    takes_any_word: bool,
}

impl Engine {
    /// Builds the index of a documents file in a folder, or opens the index that the folder contains.
    pub fn open(name: &str, documents: &Path, language: &str, folder: &Path) -> tantivy::Result<Engine> {
        let takes_any_word = name == "tantivy-or";
        let analyzer = analyzer_of(language, takes_any_word);
        let is_built = folder.join("meta.json").exists();
        let index = if is_built { Index::open_in_dir(folder)? } else { Index::create_in_dir(folder, schema())? };
        index.tokenizers().register("words", analyzer.clone());
        index.tokenizers().register("prefixes", TextAnalyzer::from(WhitespaceTokenizer::default()));
        if !is_built {
            build(&index, documents)?;
        }
        Ok(Engine {
            searcher: index.reader()?.searcher(),
            words: index.schema().get_field("words")?,
            prefixes: index.schema().get_field("prefixes")?,
            plain: plain_analyzer(),
            analyzer,
            takes_any_word,
        })
    }

    /// Returns the line numbers of documents, the best first.
    pub fn search(&mut self, text: &str, typos: bool, limit: usize, is_whole: bool) -> tantivy::Result<Vec<u64>> {
        let mut terms = terms_of(&mut self.plain, text);
        let mut seen = std::collections::HashSet::new();
        terms.retain(|term| seen.insert(term.clone()));
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let ends_in_word = !is_whole && text.chars().next_back().is_some_and(char::is_alphanumeric);
        let last = terms.len() - 1;
        let mut words = Vec::new();
        for (at, text) in terms.into_iter().enumerate() {
            words.push(self.word(text, ends_in_word && at == last)?);
        }
        let is_fuzzy = typos && words.iter().any(|word| word.is_unknown && allowed_edits(&word.text) > 0);
        if !self.takes_any_word {
            for edits in 0..=if is_fuzzy { 2 } else { 0 } {
                let hits = self.best(&words, edits, Occur::Must, limit)?;
                if !hits.is_empty() {
                    return Ok(hits);
                }
            }
        }
        self.best(&words, u8::from(is_fuzzy), Occur::Should, limit)
    }

    fn word(&mut self, text: String, is_prefix: bool) -> tantivy::Result<Word> {
        let form = terms_of(&mut self.analyzer, &text).into_iter().next();
        let term = if is_prefix { Some(self.prefix(&text)) } else { self.term_of(&form) };
        let is_unknown = match term {
            Some(term) => self.searcher.doc_freq(&term)? == 0,
            None => false,
        };
        Ok(Word { text, form, is_prefix, is_unknown })
    }

    fn best(&self, words: &[Word], edits: u8, occur: Occur, limit: usize) -> tantivy::Result<Vec<u64>> {
        let clauses: Clauses = words.iter().map(|word| (occur, self.word_query(word, edits))).collect();
        let hits = self.searcher.search(&BooleanQuery::new(clauses), &TopDocs::with_limit(limit).order_by_score())?;
        let mut numbers = Vec::with_capacity(hits.len());
        for (_, address) in hits {
            let column = self.searcher.segment_reader(address.segment_ord).fast_fields().u64("number")?;
            numbers.extend(column.first(address.doc_id));
        }
        Ok(numbers)
    }

    fn word_query(&self, word: &Word, max_edits: u8) -> Box<dyn Query> {
        let edits = if word.is_unknown { max_edits.min(allowed_edits(&word.text)) } else { 0 };
        let mut ways: Clauses = Vec::new();
        let should = |query: Box<dyn Query>| (Occur::Should, query);
        if let Some(term) = self.term_of(&word.form) {
            ways.push(should(Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))));
        }
        if word.is_prefix {
            let query = TermQuery::new(self.prefix(&word.text), IndexRecordOption::WithFreqs);
            ways.push(should(Box::new(BoostQuery::new(Box::new(query), PREFIX_BOOST))));
        }
        if edits > 0 {
            let term = match &word.form {
                Some(form) if !word.is_prefix => Term::from_field_text(self.words, form),
                _ => Term::from_field_text(self.prefixes, &word.text),
            };
            let query = FuzzyTermQuery::new(term, edits, true);
            ways.push(should(Box::new(BoostQuery::new(Box::new(query), FUZZY_BOOST))));
        }
        Box::new(BooleanQuery::new(ways))
    }

    fn term_of(&self, form: &Option<String>) -> Option<Term> {
        form.as_ref().map(|form| Term::from_field_text(self.words, form))
    }

    fn prefix(&self, word: &str) -> Term {
        let start: String = word.chars().take(LONGEST_PREFIX).collect();
        Term::from_field_text(self.prefixes, &start)
    }
}

fn schema() -> Schema {
    let mut builder = Schema::builder();
    for name in ["words", "prefixes"] {
        let indexing = TextFieldIndexing::default().set_tokenizer(name).set_index_option(IndexRecordOption::WithFreqs);
        builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing));
    }
    for name in ["id", "title", "vendor"] {
        builder.add_text_field(name, STORED);
    }
    builder.add_u64_field("number", FAST);
    builder.build()
}

/// Writes all documents with one thread, and merges them into one segment.
fn build(index: &Index, documents: &Path) -> tantivy::Result<()> {
    let schema = index.schema();
    let field = |name: &str| schema.get_field(name);
    let (words, prefixes, number) = (field("words")?, field("prefixes")?, field("number")?);
    let stored = [(field("id")?, 0), (field("title")?, FIRST_TEXT), (field("vendor")?, FIRST_TEXT + 1)];
    let mut plain = plain_analyzer();
    let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
    for (line_number, line) in BufReader::new(File::open(documents)?).lines().enumerate() {
        let line = line?.replace('\u{1f}', " ");
        let cells: Vec<&str> = line.split('\t').collect();
        let mut document = TantivyDocument::default();
        let text: String = WEIGHTS
            .iter()
            .enumerate()
            .flat_map(|(column, weight)| std::iter::repeat_n([cells[column + FIRST_TEXT], " "], *weight))
            .flatten()
            .collect();
        document.add_text(prefixes, prefixes_of(&terms_of(&mut plain, &text)));
        document.add_text(words, text);
        document.add_u64(number, line_number as u64);
        for (field, column) in stored {
            document.add_text(field, cells[column]);
        }
        writer.add_document(document)?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()
}

/// All prefixes of words, separated by spaces.
fn prefixes_of(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        for (at, letter) in word.char_indices().take(LONGEST_PREFIX) {
            text.push_str(&word[..at + letter.len_utf8()]);
            text.push(' ');
        }
    }
    text
}

fn plain_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// Stems words, and removes stop words if any word of a query suffices.
fn analyzer_of(language: &str, removes_stop_words: bool) -> TextAnalyzer {
    let language = match language {
        "de" => Language::German,
        "es" => Language::Spanish,
        "fr" => Language::French,
        _ => Language::English,
    };
    let mut builder = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser)
        .dynamic();
    if let Some(stop_words) = StopWordFilter::new(language).filter(|_| removes_stop_words) {
        builder = builder.filter_dynamic(stop_words);
    }
    builder.filter_dynamic(Stemmer::new(language)).filter_dynamic(AsciiFoldingFilter).build()
}

fn terms_of(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    analyzer.token_stream(text).process(&mut |token| terms.push(token.text.clone()));
    terms
}

fn allowed_edits(word: &str) -> u8 {
    let length = word.chars().count();
    match length {
        _ if length < SHORTEST_FUZZY || !word.chars().all(char::is_alphabetic) => 0,
        _ if length < SHORTEST_TWO_EDITS => 1,
        _ => 2,
    }
}
