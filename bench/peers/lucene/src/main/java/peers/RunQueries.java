package peers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs an engine for the benchmarks: {@code RunQueries name documents queries answers language folder}. {@code
 * run-engine.ts} describes input and output.
 */
public final class RunQueries {
  private RunQueries() {}

  public static void main(String[] args) throws IOException {
    long start = System.nanoTime();
    Engine engine = Engine.open(args[0], Path.of(args[1]), args[4], Path.of(args[5]));
    double seconds = (System.nanoTime() - start) / 1e9;
    long readyAt = System.currentTimeMillis();
    StringBuilder answers = new StringBuilder();
    try (BufferedReader queries = Files.newBufferedReader(Path.of(args[2]));
        BufferedWriter output = Files.newBufferedWriter(Path.of(args[3]))) {
      long builtBytes = memory("VmRSS:");
      long peakBytes = memory("VmHWM:");
      for (String line = queries.readLine(); line != null; line = queries.readLine()) {
        String[] cells = line.split("\t", 3);
        boolean typos = !cells[0].equals("exact");
        boolean isWhole = cells[0].equals("whole");
        int limit = Integer.parseInt(cells[1]);
        long before = System.nanoTime();
        List<Integer> hits = engine.search(cells[2], typos, limit, isWhole);
        answers.append(System.nanoTime() - before).append('\t');
        answers.append(hits.stream().map(String::valueOf).collect(Collectors.joining(",")));
        answers.append('\n');
      }
      long endBytes = memory("VmRSS:");
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long liveBytes = runtime.totalMemory() - runtime.freeMemory();
      output.write(
          "%s\t%d\t%d\t%d\t%d\t%d\n"
              .formatted(seconds, builtBytes, peakBytes, liveBytes, endBytes, readyAt));
      output.append(answers);
    }
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
