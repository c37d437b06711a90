package peers;

/** Writes JSON. */
final class Json {
  private Json() {}

  static String quote(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int at = 0; at < text.length(); at += 1) {
      char letter = text.charAt(at);
      if (letter == '"' || letter == '\\') json.append('\\').append(letter);
      else if (letter < ' ') json.append("\\u%04x".formatted((int) letter));
      else json.append(letter);
    }
    return json.append('"').toString();
  }
}
