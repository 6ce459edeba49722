package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs the parts of the benchmark on each server, and prints a comparison.
 *
 * <p>The command line can select parts by their names.
 */
final class HubBench {

    private static final List<HubPart> PARTS = List.of(
            new IdlePart(), new NodesPart(), new JoinPart(), new FanOutPart(), new RatePart(), new TakeoverPart());

    /** Only servers whose label begins with this text are measured. By default, all servers are measured. */
    private static final String PEER = System.getProperty("bench.peer", "");

    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);

    private HubBench() {}

    /**
     * Runs the benchmark.
     *
     * @param args the path of {@code ./doyen}, the path of Socket.IO's script, the path of Centrifugo, and the names of
     *     the parts. Without names, all parts run. If the path of Centrifugo is empty, the benchmark does not measure
     *     Centrifugo
     */
    public static void main(String[] args) throws Exception {
        List<String> requested = List.of(args).subList(3, args.length);
        List<String> known = PARTS.stream().map(HubPart::name).toList();
        for (String name : requested) {
            if (!known.contains(name)) {
                System.err.println(
                        "bench: unknown part of hub \"" + name + "\"; the parts are " + String.join(", ", known));
                System.exit(2);
            }
        }
        // The benchmark uses the shortest permitted remainPresentFor, because a takeover after a cut connection waits
        // for that time.
        var peers = new ArrayList<Peer>(List.of(
                new DoyenPeer(existing(args[0]), 1_000, DoyenPeer.Variant.DEFAULT),
                new DoyenPeer(existing(args[0]), 1_000, DoyenPeer.Variant.TLS),
                new DoyenPeer(existing(args[0]), 1_000, DoyenPeer.Variant.LEASES_IN_MEMORY),
                new SocketIoPeer(existing(args[1]))));
        if (!args[2].isEmpty()) {
            peers.add(new CentrifugoPeer(existing(args[2])));
        }
        Map<String, String> facts = Machine.facts();
        var measured = new ArrayList<Measured>();
        boolean failed = false;
        for (HubPart part : PARTS) {
            if (!requested.isEmpty() && !requested.contains(part.name())) {
                continue;
            }
            for (Peer peer : peers.stream()
                    .filter(one -> one.parts().contains(part.name()))
                    .filter(one -> one.label().startsWith(PEER))
                    .toList()) {
                Workload.print(part.name() + ": " + peer.label());
                try {
                    measured.addAll(part.run(peer, new Workload(ROUNDS)));
                } catch (Exception e) {
                    // The results of the other parts are still useful.
                    e.printStackTrace();
                    failed = true;
                }
            }
        }
        System.out.println(table(facts, measured));
        System.exit(failed ? 1 : 0);
    }

    private static Path existing(String file) {
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            System.err.println("bench: " + file + " does not exist; ./dev bench hub builds it");
            System.exit(2);
        }
        return path;
    }

    private static String table(Map<String, String> facts, List<Measured> measured) {
        var text = new StringBuilder();
        facts.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        text.append("\n| measure | server | median | min | max | n | ratio |\n|---|---|--:|--:|--:|--:|--:|\n");
        for (Measured one : measured) {
            text.append("| ")
                    .append(one.what())
                    .append(" | ")
                    .append(one.peer())
                    .append(" | ");
            text.append(number(one.sample().median())).append(one.unit().isEmpty() ? "" : " " + one.unit());
            text.append(" | ").append(number(one.sample().min())).append(" | ");
            text.append(number(one.sample().max()))
                    .append(" | ")
                    .append(one.sample().n());
            text.append(" | ").append(ratio(one, measured)).append(" |\n");
        }
        return text.toString();
    }

    /**
     * Returns the ratios of a result of Doyen to the results of the other servers. The text is empty if {@code one} is
     * a result of another server.
     */
    private static String ratio(Measured one, List<Measured> all) {
        if (!one.peer().startsWith("Doyen")) {
            return "";
        }
        return all.stream()
                .filter(other ->
                        other.what().equals(one.what()) && !other.peer().startsWith("Doyen"))
                .map(other ->
                        "x " + number(one.sample().median() / other.sample().median()) + " " + other.peer())
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
