package peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.StringJoiner;

/**
 * Serves products over HTTP: {@code HttpPeer name documents language folder}. Prints the port when it is ready. {@code GET
 * /exact?text} and {@code /typo?text} search for the start of a query, {@code /whole?text} for a complete one. {@code PUT /}
 * replaces a product by a line of a documents file.
 */
public final class HttpPeer {
  private static final int LIMIT = 10;
  private static final int NO_BODY = -1;

  private HttpPeer() {}

  public static void main(String[] args) throws IOException {
    Engine engine = Engine.open(args[0], Path.of(args[1]), args[2], Path.of(args[3]));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> answer((Products) engine, exchange));
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private static void answer(Products products, HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("PUT")) {
      String line = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      products.replace(line.split("\t", -1));
      exchange.sendResponseHeaders(204, NO_BODY);
      exchange.close();
      return;
    }
    String task = exchange.getRequestURI().getPath().substring(1);
    String text = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
    StringJoiner hits = new StringJoiner(",", "[", "]");
    for (int number : products.search(text, !task.equals("exact"), LIMIT, task.equals("whole")))
      hits.add(products.toJson(number));
    byte[] body = hits.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    try (var output = exchange.getResponseBody()) {
      output.write(body);
    }
  }
}
