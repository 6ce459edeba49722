package dev.doyen.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The number of TCP segments with data that the processes have exchanged. The kernel counts the segments.
 *
 * <p>The map contains one number for each connection and direction. The map does not contain connections within one
 * process.
 */
record Traffic(Map<String, Long> segments) {

    private static final Pattern CONNECTION = Pattern.compile("ESTAB\\s+\\d+\\s+\\d+\\s+(\\S+)\\s+(\\S+)\\s+(.*)");
    private static final Pattern OWNER = Pattern.compile("pid=(\\d+)");
    private static final Pattern SENT = Pattern.compile("data_segs_out:(\\d+)");

    /**
     * Reads the counters with {@code ss} of iproute2.
     *
     * @throws IOException if {@code ss} is not installed or fails
     */
    static Traffic between(Set<Long> pids) throws IOException, InterruptedException {
        Process ss = new ProcessBuilder("ss", "-tinpHO")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String lines = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (ss.waitFor() != 0) {
            throw new IOException("ss -tinpHO failed with status " + ss.exitValue());
        }
        return between(pids, lines);
    }

    static Traffic between(Set<Long> pids, String lines) {
        record Socket(String local, String peer, Set<Long> owners, long sent) {}

        List<Socket> sockets = new ArrayList<>();
        Map<String, Set<Long>> owners = new HashMap<>();
        for (String line : lines.split("\n", -1)) {
            Matcher connection = CONNECTION.matcher(line);
            if (connection.matches()) {
                String local = address(connection.group(1));
                Matcher sent = SENT.matcher(connection.group(3));
                Set<Long> own = OWNER.matcher(connection.group(3))
                        .results()
                        .map(each -> Long.parseLong(each.group(1)))
                        .collect(Collectors.toSet());
                owners.put(local, own);
                sockets.add(new Socket(
                        local,
                        address(connection.group(2)),
                        own,
                        // Linux does not print a counter whose value is 0.
                        sent.find() ? Long.parseLong(sent.group(1)) : 0));
            }
        }
        Map<String, Long> segments = new HashMap<>();
        for (Socket each : sockets) {
            Set<Long> peer = owners.getOrDefault(each.peer(), Set.of());
            if (anyOf(pids, each.owners()) && anyOf(pids, peer) && !peer.equals(each.owners())) {
                segments.put(each.local() + " " + each.peer(), each.sent());
            }
        }
        return new Traffic(segments);
    }

    /**
     * Returns the number of segments since the earlier count. Connections that have ended in the meantime are not
     * counted.
     */
    long since(Traffic earlier) {
        return segments.entrySet().stream()
                .mapToLong(each -> each.getValue() - earlier.segments.getOrDefault(each.getKey(), 0L))
                .sum();
    }

    private static boolean anyOf(Set<Long> pids, Set<Long> owners) {
        return owners.stream().anyMatch(pids::contains);
    }

    /** Removes the IPv6 notation of an IPv4 address. Java's IPv6 sockets use such mapped addresses. */
    private static String address(String address) {
        return address.replace("[::ffff:", "").replace("]", "");
    }
}
