package peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Analyzers of texts and queries. */
final class Analyzers {
  private interface Filters {
    TokenStream add(TokenStream source);
  }

  private Analyzers() {}

  /** Words in lower case without accents. */
  static Analyzer plain() {
    return create(source -> source);
  }

  /** Words and their singulars. */
  static Analyzer singulars(String language) {
    return create(
        source -> {
          TokenStream twice = new KeywordRepeatFilter(source);
          return new RemoveDuplicatesTokenFilter(
              language.equals("de")
                  ? new GermanMinimalStemFilter(twice)
                  : new EnglishMinimalStemFilter(twice));
        });
  }

  /** All prefixes of words up to a length. */
  static Analyzer prefixes(int longest) {
    return create(source -> new EdgeNGramTokenFilter(source, 1, longest, false));
  }

  /** Lucene's analyzer of a language, with stems and without stop words. */
  static Analyzer ofLanguage(String language) {
    return switch (language) {
      case "de" -> new GermanAnalyzer();
      case "es" -> new SpanishAnalyzer();
      case "fr" -> new FrenchAnalyzer();
      default -> new EnglishAnalyzer();
    };
  }

  /** The terms of a text, without duplicates. */
  static List<String> termsOf(Analyzer analyzer, String text) throws IOException {
    LinkedHashSet<String> terms = new LinkedHashSet<>();
    try (TokenStream stream = analyzer.tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) terms.add(term.toString());
      stream.end();
    }
    return new ArrayList<>(terms);
  }

  private static Analyzer create(Filters filters) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        StandardTokenizer source = new StandardTokenizer();
        return new TokenStreamComponents(
            source, filters.add(new ASCIIFoldingFilter(new LowerCaseFilter(source))));
      }
    };
  }
}
