package peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.FSDirectory;

/**
 * Products ranked by BM25. The settings are the best of those measured:
 *
 * <ul>
 *   <li>One field has all texts, repeated by weight. This is faster than one field each, and ranks better.
 *   <li>A second field has the prefixes of words. A prefix is one term there, which block-max WAND can skip and BM25 can
 *       score. {@code PrefixQuery} does neither.
 *   <li>A word that no document contains may be misspelled. {@code FuzzyQuery} for all words costs several times more.
 *   <li>The index is merged into one segment, and read with MMapDirectory.
 * </ul>
 *
 * All words are required. If no document has them, any word suffices. In the variant {@code takesAnyWord}, any word
 * suffices from the start, and the language's analyzer stems words.
 */
final class Products implements Engine {
  private static final String ID = "id";
  private static final String WORDS = "words";
  private static final String PREFIXES = "prefixes";
  private static final int LONGEST_PREFIX = 12;
  /** Weight of a prefix match relative to a full match. */
  private static final float PREFIX_BOOST = 0.5f;
  /** Weight of a fuzzy match relative to a full match. */
  private static final float FUZZY_BOOST = 0.2f;
  private static final int SHORTEST_FUZZY = 4;
  private static final int SHORTEST_TWO_EDITS = 8;

  private final FSDirectory directory;
  private IndexSearcher searcher;
  /** Opened by the first change. */
  private IndexWriter writer;
  private final Analyzer words;
  private final Analyzer plain = Analyzers.plain();
  private final boolean takesAnyWord;

  private Products(FSDirectory directory, Analyzer words, boolean takesAnyWord) throws IOException {
    this.directory = directory;
    this.searcher = new IndexSearcher(DirectoryReader.open(directory));
    this.words = words;
    this.takesAnyWord = takesAnyWord;
  }

  static Products open(
      Path documents, String language, Path folder, boolean isBuilt, boolean takesAnyWord)
      throws IOException {
    Analyzer words = takesAnyWord ? Analyzers.ofLanguage(language) : Analyzers.singulars(language);
    FSDirectory directory = FSDirectory.open(folder);
    if (!isBuilt) build(documents, directory, words);
    return new Products(directory, words, takesAnyWord);
  }

  /** One thread writes and merges keep the order, so document numbers are line numbers. */
  private static void build(Path documents, FSDirectory directory, Analyzer words) throws IOException {
    try (IndexWriter writer = writerOf(directory, words)) {
      FlatFile.readAll(documents, (number, cells) -> writer.addDocument(documentOf(cells)));
      writer.forceMerge(1);
    }
  }

  private static IndexWriter writerOf(FSDirectory directory, Analyzer words) throws IOException {
    Analyzer analyzer =
        new PerFieldAnalyzerWrapper(words, Map.of(PREFIXES, Analyzers.prefixes(LONGEST_PREFIX)));
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer).setMergePolicy(new LogDocMergePolicy()).setRAMBufferSizeMB(256);
    return new IndexWriter(directory, config);
  }

  private static Document documentOf(String[] cells) {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.setTokenized(true);
    type.freeze();
    String text = FlatFile.weightedText(cells);
    Document document = new Document();
    document.add(new Field(WORDS, text, type));
    document.add(new Field(PREFIXES, text, type));
    document.add(new StringField(ID, cells[0], Field.Store.YES));
    document.add(new StoredField("title", FlatFile.title(cells)));
    document.add(new StoredField("vendor", FlatFile.vendor(cells)));
    return document;
  }

  /** Replaces the document with the same id. The next search finds it, before it is committed to the disk. */
  void replace(String[] cells) throws IOException {
    if (writer == null) writer = writerOf(directory, words);
    writer.updateDocument(new Term(ID, cells[0]), documentOf(cells));
    DirectoryReader previous = (DirectoryReader) searcher.getIndexReader();
    searcher = new IndexSearcher(DirectoryReader.openIfChanged(previous, writer));
    previous.close();
  }

  @Override
  public List<Integer> search(String text, boolean typos, int limit, boolean isWhole)
      throws IOException {
    List<String> terms = Analyzers.termsOf(plain, text);
    if (terms.isEmpty()) return List.of();
    boolean endsInWord = !isWhole && Character.isLetterOrDigit(text.codePointBefore(text.length()));
    List<Word> query = new ArrayList<>();
    for (int at = 0; at < terms.size(); at += 1) {
      boolean isPrefix = endsInWord && at == terms.size() - 1;
      List<String> forms = Analyzers.termsOf(words, terms.get(at));
      query.add(new Word(terms.get(at), forms, isPrefix, isUnknown(terms.get(at), forms, isPrefix)));
    }
    boolean isFuzzy =
        typos && query.stream().anyMatch(word -> word.isUnknown && allowedEdits(word.text) > 0);
    for (int edits = 0; edits <= (isFuzzy ? 2 : 0) && !takesAnyWord; edits += 1) {
      List<Integer> hits = best(query, edits, Occur.MUST, limit);
      if (!hits.isEmpty()) return hits;
    }
    return best(query, isFuzzy ? 1 : 0, Occur.SHOULD, limit);
  }

  /** The stored fields of a document as a JSON object. */
  String toJson(int number) throws IOException {
    Document document = searcher.storedFields().document(number);
    return "{\"id\":%s,\"title\":%s,\"vendor\":%s}"
        .formatted(
            Json.quote(document.get(ID)),
            Json.quote(document.get("title")),
            Json.quote(document.get("vendor")));
  }

  /** A word of a query; unknown if no document contains it. Stop words have no forms. */
  private record Word(String text, List<String> forms, boolean isPrefix, boolean isUnknown) {}

  private boolean isUnknown(String word, List<String> forms, boolean isPrefix) throws IOException {
    IndexReader reader = searcher.getIndexReader();
    if (isPrefix) return reader.docFreq(prefix(word)) == 0;
    for (String form : forms) if (reader.docFreq(new Term(WORDS, form)) > 0) return false;
    return !forms.isEmpty();
  }

  private List<Integer> best(List<Word> words, int edits, Occur occur, int limit)
      throws IOException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (Word word : words) query.add(wordQuery(word, edits), occur);
    // The threshold equals the limit, so that documents which cannot be among the best are skipped.
    ScoreDoc[] hits =
        searcher.search(query.build(), new TopScoreDocCollectorManager(limit, limit)).scoreDocs;
    List<Integer> numbers = new ArrayList<>(hits.length);
    for (ScoreDoc hit : hits) numbers.add(hit.doc);
    return numbers;
  }

  private static Query wordQuery(Word word, int maxEdits) {
    int edits = word.isUnknown ? Math.min(maxEdits, allowedEdits(word.text)) : 0;
    SynonymQuery.Builder forms = new SynonymQuery.Builder(WORDS);
    for (String form : word.forms) forms.addTerm(new Term(WORDS, form));
    if (!word.isPrefix && edits == 0) return forms.build();
    BooleanQuery.Builder ways = new BooleanQuery.Builder();
    ways.add(forms.build(), Occur.SHOULD);
    if (word.isPrefix)
      ways.add(new BoostQuery(new TermQuery(prefix(word.text)), PREFIX_BOOST), Occur.SHOULD);
    if (edits > 0) {
      Term term =
          word.isPrefix ? new Term(PREFIXES, word.text) : new Term(WORDS, word.forms.getFirst());
      ways.add(new BoostQuery(new FuzzyQuery(term, edits), FUZZY_BOOST), Occur.SHOULD);
    }
    return ways.build();
  }

  private static int allowedEdits(String word) {
    if (word.length() < SHORTEST_FUZZY || !word.chars().allMatch(Character::isLetter)) return 0;
    return word.length() < SHORTEST_TWO_EDITS ? 1 : 2;
  }

  private static Term prefix(String word) {
    return new Term(PREFIXES, word.substring(0, Math.min(word.length(), LONGEST_PREFIX)));
  }
}
