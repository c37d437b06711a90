package peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.search.suggest.InputIterator;
import org.apache.lucene.search.suggest.Lookup;
import org.apache.lucene.search.suggest.analyzing.AnalyzingInfixSuggester;
import org.apache.lucene.search.suggest.analyzing.FuzzySuggester;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/** Lucene's suggesters over the titles of products, weighted by popularity. The payload is the document number. */
final class Suggesters {
  private static final int WEIGHT_SCALE = 1_000_000;

  private Suggesters() {}

  /** Titles that contain all words of a text; the last one may be a prefix. */
  static Engine infix(Path documents, Path folder, boolean isBuilt) throws IOException {
    AnalyzingInfixSuggester suggester =
        new AnalyzingInfixSuggester(FSDirectory.open(folder), Analyzers.plain());
    if (!isBuilt) {
      suggester.build(new Titles(documents));
      suggester.commit();
    }
    return (text, typos, limit, isWhole) ->
        text.isBlank() ? List.of() : numbersOf(suggester.lookup(text, limit, true, false));
  }

  /** Titles that start with a text; one letter after the first may differ. */
  static Engine fuzzy(Path documents, Path folder, boolean isBuilt) throws IOException {
    Path temporary = Files.createDirectories(folder.resolveSibling("sort"));
    FuzzySuggester suggester =
        new FuzzySuggester(FSDirectory.open(temporary), "suggest", Analyzers.plain());
    Path file = folder.resolve("titles.fst");
    if (isBuilt) {
      try (InputStream input = Files.newInputStream(file)) {
        suggester.load(input);
      }
    } else {
      suggester.build(new Titles(documents));
      try (OutputStream output = Files.newOutputStream(file)) {
        suggester.store(output);
      }
    }
    return (text, typos, limit, isWhole) ->
        text.isBlank() ? List.of() : numbersOf(suggester.lookup(text, false, limit));
  }

  private static List<Integer> numbersOf(List<Lookup.LookupResult> results) {
    List<Integer> numbers = new ArrayList<>(results.size());
    for (Lookup.LookupResult result : results)
      numbers.add(Integer.parseInt(result.payload.utf8ToString()));
    return numbers;
  }

  /** The titles of a documents file without duplicates. */
  private static final class Titles implements InputIterator {
    private record Title(BytesRef text, long weight, BytesRef payload) {}

    private final List<Title> titles = new ArrayList<>();
    private int at = -1;

    Titles(Path documents) throws IOException {
      Set<String> known = new HashSet<>();
      FlatFile.readAll(
          documents,
          (number, cells) -> {
            String title = FlatFile.title(cells);
            if (title.isEmpty() || !known.add(title)) return;
            long weight = (long) (FlatFile.popularity(cells) * WEIGHT_SCALE);
            titles.add(new Title(new BytesRef(title), weight, new BytesRef("" + number)));
          });
    }

    @Override
    public BytesRef next() {
      at += 1;
      return at < titles.size() ? titles.get(at).text : null;
    }

    @Override
    public long weight() {
      return titles.get(at).weight;
    }

    @Override
    public BytesRef payload() {
      return titles.get(at).payload;
    }

    @Override
    public boolean hasPayloads() {
      return true;
    }

    @Override
    public Set<BytesRef> contexts() {
      return null;
    }

    @Override
    public boolean hasContexts() {
      return false;
    }
  }
}
