package dev.doyen.benchmarks;

/**
 * The quantities that {@link Stores} measures, in the order of its table. Each quantity is measured with three
 * candidates, which are separate processes.
 */
enum StoresMeasure {
    SERVER_READY("first start: server ready", "ms"),
    FIRST_LEADER("first start: three processes, until one leads", "ms"),
    FIRST_START("first start: in all", "ms"),
    HAND_OVER("handover between processes", "ms"),
    HAND_OVER_BESIDE_STOPPED("handover while a follower is stopped", "ms"),
    CRASH("crash fail-over between processes", "ms"),
    REQUESTS("requests per minute and candidate", ""),
    SEGMENTS("TCP segments per minute between all processes", ""),
    CANDIDATE_MEMORY("memory of a candidate", "MB"),
    SERVER_MEMORY("memory of the server", "MB"),
    ALL_MEMORY("memory in all", "MB");

    private final String label;
    private final String unit;

    StoresMeasure(String label, String unit) {
        this.label = label;
        this.unit = unit;
    }

    String label() {
        return label;
    }

    String unit() {
        return unit;
    }
}
