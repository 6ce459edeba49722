package dev.doyen.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.doyen.benchmarks.server.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of a run. The report can be written as Markdown for people and as JSON for programs. */
record Report(Map<String, String> facts, String command, List<Figure> figures, List<String> remarks) {

    String markdown() {
        var text = new StringBuilder();
        facts.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        text.append("- again: `").append(command).append("`\n");
        for (ServerKind server : ServerKind.values()) {
            text.append("- a request to ")
                    .append(server.label())
                    .append(": ")
                    .append(server.counting())
                    .append('\n');
        }
        List<Figure> ofStores =
                figures.stream().filter(each -> each.part().equals(Stores.NAME)).toList();
        if (!ofStores.isEmpty()) {
            text.append("\nMedians; in parentheses by that of ")
                    .append(Stores.PEER.label())
                    .append(", ")
                    .append(Stores.PEER.server().label())
                    .append(":\n\n")
                    .append(new StoresTable(ofStores).markdown());
        }
        text.append("\n| measure | server | system | median | p90 | min | max | n | to best peer |\n")
                .append("|---|---|---|--:|--:|--:|--:|--:|--:|\n");
        for (Figure figure : figures) {
            Sample sample = figure.sample();
            boolean once = sample.n() == 1;
            var ratio = figure.toBestPeer(figures);
            text.append("| ")
                    .append(String.join(
                            " | ",
                            figure.what(),
                            figure.entrant().server().label(),
                            figure.entrant().label(),
                            number(sample.median()) + (figure.unit().isEmpty() ? "" : " " + figure.unit()),
                            once ? "" : number(sample.p90()),
                            once ? "" : number(sample.min()),
                            once ? "" : number(sample.max()),
                            Integer.toString(sample.n()),
                            ratio.isPresent() ? "x " + number(ratio.getAsDouble()) : ""))
                    .append(" |\n");
        }
        if (!remarks.isEmpty()) {
            text.append('\n');
            remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
        }
        return text.toString();
    }

    void writeJson(Path file) throws IOException {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (Figure figure : figures) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("part", figure.part());
            line.put("what", figure.what());
            line.put("server", figure.entrant().server().label());
            line.put("system", figure.entrant().label());
            line.put("unit", figure.unit());
            line.put("median", figure.sample().median());
            line.put("p90", figure.sample().p90());
            line.put("min", figure.sample().min());
            line.put("max", figure.sample().max());
            line.put("n", figure.sample().n());
            figure.toBestPeer(figures).ifPresent(ratio -> line.put("toBestPeer", ratio));
            line.put("values", figure.sample().values());
            lines.add(line);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("facts", facts);
        all.put("command", command);
        all.put("figures", lines);
        all.put("remarks", remarks);
        Files.createDirectories(file.toAbsolutePath().getParent());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), all);
    }

    /** Formats a number without decimals if it is whole or at least 100. Other numbers have about three digits. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        int decimals = size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.01 ? 3 : 5;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
