package dev.doyen.cli;

import dev.doyen.cli.doctor.Check;
import dev.doyen.cli.doctor.Check.Verdict;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The output of {@code doyen doctor}.
 *
 * <p>The report prints the result after each check, and a summary at the end. The text form prints the remedy of a
 * check on a second line.
 */
final class CheckReport {

    private final boolean json;
    private final Consumer<String> out;
    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);

    CheckReport(boolean json, Consumer<String> out) {
        this.json = json;
        this.out = out;
    }

    void add(Check check) {
        counts.merge(check.verdict(), 1, Integer::sum);
        if (json) {
            out.accept(json(check));
            return;
        }
        out.accept(
                String.format(Locale.ROOT, "%-4s  %-11s  %s", text(check.verdict()), check.name(), check.sentence()));
        if (!check.remedy().isEmpty()) {
            out.accept(String.format(Locale.ROOT, "%-4s  %-11s  -> %s", "", "", check.remedy()));
        }
    }

    /** Prints the summary and returns the exit code. */
    int end() {
        out.accept(json ? summary() : sentence());
        return DoctorCommand.exitCode(worst());
    }

    private String sentence() {
        if (worst() == Verdict.OK) {
            return "All checks passed.";
        }
        return count(Verdict.FAIL) + " wrong, " + count(Verdict.WARN) + " could be better, " + count(Verdict.OK)
                + " well.";
    }

    private String summary() {
        return JsonLine.of(line -> {
            line.writeStringField("check", "summary");
            line.writeStringField("verdict", text(worst()));
            for (var verdict : Verdict.values()) {
                line.writeNumberField(text(verdict), count(verdict));
            }
        });
    }

    private static String json(Check check) {
        return JsonLine.of(line -> {
            line.writeStringField("check", check.name());
            line.writeStringField("verdict", text(check.verdict()));
            line.writeStringField("message", check.sentence());
            if (!check.remedy().isEmpty()) {
                line.writeStringField("remedy", check.remedy());
            }
            for (var number : check.measured().entrySet()) {
                line.writeNumberField(number.getKey(), number.getValue());
            }
        });
    }

    private Verdict worst() {
        var worst = Verdict.OK;
        for (var verdict : counts.keySet()) {
            worst = verdict.compareTo(worst) > 0 ? verdict : worst;
        }
        return worst;
    }

    private int count(Verdict verdict) {
        return counts.getOrDefault(verdict, 0);
    }

    private static String text(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }
}
