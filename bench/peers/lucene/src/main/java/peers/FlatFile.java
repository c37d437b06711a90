package peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads documents files: tab-separated columns key, stock, popularity, and the searched texts. */
final class FlatFile {
  private static final int POPULARITY = 2;
  private static final int FIRST_TEXT = 3;
  /** Repetitions of title, vendor, type, author, tags, SKU, barcode, options, body. */
  private static final int[] WEIGHTS = {5, 3, 3, 3, 2, 2, 2, 2, 1};

  interface Reader {
    void read(int number, String[] cells) throws IOException;
  }

  private FlatFile() {}

  static void readAll(Path file, Reader reader) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        reader.read(number, line.split("\t", -1));
        number += 1;
      }
    }
  }

  static String title(String[] cells) {
    return cells[FIRST_TEXT].replace('\u001f', ' ');
  }

  static String vendor(String[] cells) {
    return cells[FIRST_TEXT + 1].replace('\u001f', ' ');
  }

  static float popularity(String[] cells) {
    return Float.parseFloat(cells[POPULARITY]);
  }

  /** All texts of a document, each as often as its weight. */
  static String weightedText(String[] cells) {
    StringBuilder all = new StringBuilder();
    for (int column = 0; column < WEIGHTS.length; column += 1) {
      String text = cells[column + FIRST_TEXT].replace('\u001f', ' ');
      if (!text.isEmpty()) all.repeat(text + " ", WEIGHTS[column]);
    }
    return all.toString();
  }
}
