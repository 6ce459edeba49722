package dev.doyen.cli;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Tells users of options that earlier versions of {@code doyen ring} had what to do instead. */
final class RemovedOptions {

    private static final Set<String> OF_VOTERS = Set.of("voters", "promises");

    private RemovedOptions() {}

    /** Returns the end of a sentence about an unknown option or variable; empty if it was never an option. */
    static String remedy(String name) {
        return OF_VOTERS.contains(
                        name.replaceFirst("^--", "").replaceFirst("=.*", "").toLowerCase(Locale.ROOT))
                ? "; voters were removed, follow docs/guide/migrate/ring-voters.md"
                : "";
    }

    /** The same for the first of these arguments that was an option. */
    static String remedy(List<String> arguments) {
        return arguments.stream()
                .map(RemovedOptions::remedy)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
    }
}
