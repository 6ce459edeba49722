package dev.doyen.cli;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Advises users who set an option that only earlier versions of {@code doyen ring} have. */
final class RemovedOptions {

    private static final Set<String> OF_VOTERS = Set.of("voters", "promises");

    private RemovedOptions() {}

    /**
     * Returns the advice that follows the error about an unknown option or variable. The advice is empty if no
     * earlier version had that option.
     */
    static String remedy(String name) {
        return OF_VOTERS.contains(
                        name.replaceFirst("^--", "").replaceFirst("=.*", "").toLowerCase(Locale.ROOT))
                ? "; voters were removed, follow docs/guide/migrate/ring-voters.md"
                : "";
    }

    /** Returns the advice for the first argument that is a removed option. */
    static String remedy(List<String> arguments) {
        return arguments.stream()
                .map(RemovedOptions::remedy)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
    }
}
