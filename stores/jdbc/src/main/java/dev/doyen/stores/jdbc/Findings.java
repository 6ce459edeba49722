package dev.doyen.stores.jdbc;

import java.util.ArrayList;
import java.util.List;

/** What was found out about a server when the store was opened: reasons for doubt, and whether one of them is serious. */
final class Findings {

    private final String scope;
    private final List<String> remarks = new ArrayList<>();
    private boolean durable = true;
    private boolean forced;

    Findings(String scope) {
        this.scope = scope;
    }

    /** A confirmed term may be lost. */
    Findings notDurable(String remark) {
        durable = false;
        return remark(remark);
    }

    Findings remark(String remark) {
        remarks.add(remark);
        return this;
    }

    /** Each write must be followed by {@link Dialect#force}. */
    Findings forced() {
        forced = true;
        return this;
    }

    boolean mustForce() {
        return forced;
    }

    String scope() {
        return scope;
    }

    boolean durable() {
        return durable;
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }
}
