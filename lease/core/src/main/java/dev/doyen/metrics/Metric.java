package dev.doyen.metrics;

import dev.doyen.event.LossCause;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A metric that several programs publish with the same name, unit and labels.
 *
 * <p>The names follow the conventions of Prometheus: the name of a counter ends with {@code _total}, and a name
 * contains the unit. docs/reference/metrics.md lists which program publishes which metric.
 */
public enum Metric {
    IS_LEADER("doyen_is_leader", Type.GAUGE, "1 while a candidate of this process leads, else 0", "election"),
    LEASE_REMAINING(
            "doyen_lease_remaining_seconds",
            Type.GAUGE,
            "time that this candidate still leads without another renewal",
            "election"),
    TERM("doyen_term", Type.GAUGE, "the highest term that this process knows", "election"),
    TRANSITIONS(
            "doyen_transitions_total",
            Type.COUNTER,
            "leaderships that began (elected), ended (by cause) or were only observed",
            "election",
            "reason"),
    JEOPARDY("doyen_jeopardy_total", Type.COUNTER, "renewals missed by a leader that still led", "election"),
    LEADERLESS("doyen_leaderless_seconds_total", Type.COUNTER, "time in which this process knew no leader", "election"),
    TASKS_OVERRUN("doyen_tasks_overrun", Type.GAUGE, "tasks that still run although their term has ended", "election"),
    OVERLAPS(
            "doyen_overlaps_total",
            Type.COUNTER,
            "terms whose work still ran when another leader was observed",
            "election"),
    ELECTION_LEADER(
            "doyen_election_leader", Type.GAUGE, "1 for the leader that this process knows", "election", "leader"),
    RENEW_DURATION("doyen_renew_duration_seconds", Type.HISTOGRAM, "renewals of held leases", "outcome"),
    STORE_DURATION("doyen_store_duration_seconds", Type.HISTOGRAM, "calls of the lease store", "operation", "outcome"),
    STORE_ERRORS(
            "doyen_store_errors_total",
            Type.COUNTER,
            "calls of the lease store without a usable answer",
            "operation",
            "kind"),
    EVENT_STREAMS("doyen_event_streams", Type.GAUGE, "open event streams of a port", "port");

    /** The upper bounds of the buckets of each histogram, in seconds. */
    public static final List<Double> BOUNDS_SECONDS = List.of(0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0);

    /** The value of the label {@code reason} for a leadership that began. */
    public static final String ELECTED = "elected";

    /** The value of the label {@code reason} for a leadership of another process. */
    public static final String OBSERVED = "observed";

    private static final String SECONDS = "_seconds";
    private static final String TOTAL = "_total";

    private final String id;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable.
    private final List<String> labels;

    /** The type of a metric, as Prometheus defines it. */
    public enum Type {
        GAUGE,
        COUNTER,
        HISTOGRAM
    }

    Metric(String id, Type type, String help, String... labels) {
        this.id = id;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** Returns the name in Prometheus. */
    public String id() {
        return id;
    }

    /** Returns the name in Micrometer, which has dots, and contains neither the unit nor {@code _total}. */
    public String meterName() {
        return without(SECONDS, without(TOTAL, id)).replace('_', '.');
    }

    /** Returns the base unit, such as {@code seconds}; empty if the metric is a number. */
    public Optional<String> unit() {
        return without(TOTAL, id).endsWith(SECONDS) ? Optional.of("seconds") : Optional.empty();
    }

    public Type type() {
        return type;
    }

    /** Returns the text of the HELP line. */
    public String help() {
        return help;
    }

    /** Returns the names of the labels, in the order of their values. */
    public List<String> labels() {
        return labels;
    }

    /** Returns the value of the label {@code reason} for this cause. */
    public static String reason(LossCause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }

    private static String without(String suffix, String name) {
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }
}
