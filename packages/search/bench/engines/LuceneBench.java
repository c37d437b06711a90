// Runs Lucene for the benchmarks, as a single-file program:
//   java -cp <lucene-core, -analyzers-common, -queries, -misc> LuceneBench.java name documents queries answers language
// run-engine.ts describes input and output. The index is in memory, merged into one segment.
//
// The settings are the best of those measured with relevance.ts and keystroke-latency.ts:
// - One text field, which contains the words of the title five times, those of type, vendor and tags three times, and so on: boosts
//   by term frequency. This is 2 to 4 times faster than one field each under DisjunctionMaxQuery, with a better nDCG.
// - Edge n-grams in a separate field for prefixes: faster than PrefixQuery at one letter, since blocks of low scores are skipped, and
//   scored, unlike PrefixQuery.
// - All words are required. If no document contains them all, words without documents match fuzzily; if still none matches, any word
//   is sufficient. Fuzzy queries for all words at once cost many times more and find no more.
// - As "lucene-or", any word is sufficient from the start. The language's analyzer (EnglishAnalyzer and so on) stems words and removes
//   stop words, and words without documents match with one edit: the setup of Lucene's manual.
// - Spelling: FuzzyQuery with one edit from 4 letters and two from 8; a transposition is one edit; words with digits match exactly.
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
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
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.store.ByteBuffersDirectory;

public final class LuceneBench {
  /** How often the words of a column are indexed: title, vendor, type, author, tags, SKU, barcode, options, body. */
  private static final int[] WEIGHTS = {5, 3, 3, 3, 2, 2, 2, 2, 1};
  /** Columns of a flat document before those: key, stock, popularity. */
  private static final int FIRST_TEXT = 3;
  private static final String WORDS = "words";
  private static final String BEGINNINGS = "beginnings";
  private static final int LONGEST_BEGINNING = 12;
  /** Weight of a prefix match relative to an exact match, and of a fuzzy match relative to a prefix match. */
  private static final float BEGINNING_SHARE = 0.5f;
  private static final float FUZZY_SHARE = 0.2f;
  /** Maximum expansions of a fuzzy term; Lucene's default. */
  private static final int EXPANSIONS = 50;

  private final String language;
  private final boolean takesAnyWord;
  private final Analyzer words;
  private final Analyzer beginnings = analyzer(true);
  private final Analyzer plain = plainAnalyzer();
  private IndexSearcher searcher;

  private LuceneBench(String name, String language) {
    this.language = language;
    takesAnyWord = name.equals("lucene-or");
    words = takesAnyWord ? languageAnalyzer() : analyzer(false);
  }

  public static void main(String[] args) throws IOException {
    LuceneBench bench = new LuceneBench(args[0], args[4]);
    long start = System.nanoTime();
    long indexBytes = bench.build(Path.of(args[1]));
    double seconds = (System.nanoTime() - start) / 1e9;
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    try (BufferedReader queries = Files.newBufferedReader(Path.of(args[2]), StandardCharsets.UTF_8);
        BufferedWriter answers = Files.newBufferedWriter(Path.of(args[3]), StandardCharsets.UTF_8)) {
      long live = runtime.totalMemory() - runtime.freeMemory();
      answers.write(seconds + "\t" + memory("VmRSS:") + "\t" + memory("VmHWM:") + "\t" + live + "\t" + indexBytes + "\n");
      for (String line = queries.readLine(); line != null; line = queries.readLine()) {
        String[] cells = line.split("\t", 3);
        boolean typos = !cells[0].equals("exact");
        boolean isWhole = cells[0].equals("whole");
        int limit = Integer.parseInt(cells[1]);
        long before = System.nanoTime();
        ScoreDoc[] hits = bench.search(cells[2], typos, limit, isWhole);
        StringBuilder answer = new StringBuilder().append(System.nanoTime() - before).append('\t');
        for (int at = 0; at < hits.length; at += 1) answer.append(at == 0 ? "" : ",").append(hits[at].doc);
        answers.write(answer.append('\n').toString());
      }
    }
  }

  /** Document numbers are those of the lines: one thread writes, and merges keep the order. */
  private long build(Path file) throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    Analyzer analyzer = new PerFieldAnalyzerWrapper(words, Map.of(BEGINNINGS, beginnings));
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setMergePolicy(new LogDocMergePolicy());
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.freeze();
    try (IndexWriter writer = new IndexWriter(directory, config);
        BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split("\t", -1);
        Document document = new Document();
        StringBuilder all = new StringBuilder();
        for (int column = 0; column < WEIGHTS.length; column += 1) {
          String text = cells[column + FIRST_TEXT].replace('\u001f', ' ');
          if (text.isEmpty()) continue;
          for (int time = 0; time < WEIGHTS[column]; time += 1) all.append(text).append(' ');
        }
        document.add(new Field(WORDS, all.toString(), type));
        document.add(new Field(BEGINNINGS, all.toString(), type));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    searcher = new IndexSearcher(DirectoryReader.open(directory));
    long bytes = 0;
    for (String name : directory.listAll()) bytes += directory.fileLength(name);
    return bytes;
  }

  private ScoreDoc[] search(String text, boolean typos, int limit, boolean isWhole) throws IOException {
    List<String> terms = termsOf(plain, text);
    if (terms.isEmpty()) return new ScoreDoc[0];
    boolean endsInWord = !isWhole && Character.isLetterOrDigit(text.codePointBefore(text.length()));
    List<Word> asked = new ArrayList<>();
    for (int at = 0; at < terms.size(); at += 1) {
      boolean isBeginning = endsInWord && at == terms.size() - 1;
      Term term = isBeginning ? beginning(terms.get(at)) : new Term(WORDS, terms.get(at));
      asked.add(new Word(terms.get(at), isBeginning, searcher.getIndexReader().docFreq(term) == 0));
    }
    boolean canBend = typos && asked.stream().anyMatch(word -> word.isUnknown && allowedEdits(word.text) > 0);
    for (int edits = 0; edits <= (canBend ? 2 : 0) && !takesAnyWord; edits += 1) {
      ScoreDoc[] hits = best(asked, edits, Occur.MUST, limit);
      if (hits.length > 0) return hits;
    }
    return best(asked, canBend ? 1 : 0, Occur.SHOULD, limit);
  }

  /** A word of a query; unknown where no document has it. */
  private static final class Word {
    final String text;
    final boolean isBeginning;
    final boolean isUnknown;

    Word(String text, boolean isBeginning, boolean isUnknown) {
      this.text = text;
      this.isBeginning = isBeginning;
      this.isUnknown = isUnknown;
    }
  }

  private ScoreDoc[] best(List<Word> asked, int edits, Occur occur, int limit) throws IOException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (Word word : asked) query.add(wordQuery(word, edits), occur);
    // Counts no further than it must: what cannot come among the best is skipped.
    TopScoreDocCollector collector = TopScoreDocCollector.create(limit, limit);
    searcher.search(query.build(), collector);
    return collector.topDocs().scoreDocs;
  }

  private Query wordQuery(Word word, int most) throws IOException {
    int edits = word.isUnknown ? Math.min(most, allowedEdits(word.text)) : 0;
    SynonymQuery.Builder forms = new SynonymQuery.Builder(WORDS);
    for (String form : termsOf(words, word.text)) forms.addTerm(new Term(WORDS, form));
    if (!word.isBeginning && edits == 0) return forms.build();
    BooleanQuery.Builder ways = new BooleanQuery.Builder();
    ways.add(forms.build(), Occur.SHOULD);
    if (word.isBeginning) ways.add(new BoostQuery(new TermQuery(beginning(word.text)), BEGINNING_SHARE), Occur.SHOULD);
    if (edits > 0) {
      Term term = new Term(word.isBeginning ? BEGINNINGS : WORDS, word.text);
      ways.add(new BoostQuery(new FuzzyQuery(term, edits, 0, EXPANSIONS, true), FUZZY_SHARE), Occur.SHOULD);
    }
    return ways.build();
  }

  private static int allowedEdits(String word) {
    if (word.length() < 4 || !word.chars().allMatch(Character::isLetter)) return 0;
    return word.length() < 8 ? 1 : 2;
  }

  private static Term beginning(String word) {
    return new Term(BEGINNINGS, word.substring(0, Math.min(word.length(), LONGEST_BEGINNING)));
  }

  private static List<String> termsOf(Analyzer analyzer, String text) throws IOException {
    LinkedHashSet<String> terms = new LinkedHashSet<>();
    try (TokenStream stream = analyzer.tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) terms.add(term.toString());
      stream.end();
    }
    return new ArrayList<>(terms);
  }

  /** Words and their singulars, or beginnings of words. */
  private Analyzer analyzer(boolean cutsBeginnings) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = new StandardTokenizer();
        TokenStream folded = new ASCIIFoldingFilter(new LowerCaseFilter(source));
        if (cutsBeginnings)
          return new TokenStreamComponents(source, new EdgeNGramTokenFilter(folded, 1, LONGEST_BEGINNING, false));
        TokenStream twice = new KeywordRepeatFilter(folded);
        TokenStream stemmed =
            language.equals("de") ? new GermanMinimalStemFilter(twice) : new EnglishMinimalStemFilter(twice);
        return new TokenStreamComponents(source, new RemoveDuplicatesTokenFilter(stemmed));
      }
    };
  }

  private Analyzer languageAnalyzer() {
    switch (language) {
      case "de":
        return new GermanAnalyzer();
      case "es":
        return new SpanishAnalyzer();
      case "fr":
        return new FrenchAnalyzer();
      default:
        return new EnglishAnalyzer();
    }
  }

  private static Analyzer plainAnalyzer() {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = new StandardTokenizer();
        return new TokenStreamComponents(source, new ASCIIFoldingFilter(new LowerCaseFilter(source)));
      }
    };
  }

  /** A line of what Linux knows of this process, in bytes; 0 elsewhere. */
  private static long memory(String name) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return 0;
    for (String line : Files.readAllLines(status))
      if (line.startsWith(name)) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    return 0;
  }
}
