package peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A search engine with an index in a folder. */
interface Engine {
  /**
   * Searches and returns document numbers, the best first.
   *
   * @param typos whether misspellings are tolerated
   * @param isWhole whether the last word is complete; otherwise it may be a prefix
   */
  List<Integer> search(String text, boolean typos, int limit, boolean isWhole) throws IOException;

  /** Builds the index of a documents file in a folder, or opens the index that the folder contains. */
  static Engine open(String name, Path documents, String language, Path folder) throws IOException {
    boolean isBuilt;
    try (var files = Files.list(folder)) {
      isBuilt = files.findAny().isPresent();
    }
    return switch (name) {
      case "lucene" -> Products.open(documents, language, folder, isBuilt, false);
      case "lucene-or" -> Products.open(documents, language, folder, isBuilt, true);
      case "lucene-infix" -> Suggesters.infix(documents, folder, isBuilt);
      case "lucene-fuzzy" -> Suggesters.fuzzy(documents, folder, isBuilt);
      default -> throw new IllegalArgumentException("unknown engine: " + name);
    };
  }
}
