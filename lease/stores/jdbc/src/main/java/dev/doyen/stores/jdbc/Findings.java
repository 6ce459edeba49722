package dev.doyen.stores.jdbc;

import java.util.ArrayList;
import java.util.List;

/** The problems that the store found in a server's settings when the store was opened. */
final class Findings {

    private final String scope;
    private final List<String> remarks = new ArrayList<>();
    private boolean durable = true;
    private boolean forced;

    Findings(String scope) {
        this.scope = scope;
    }

    /** Adds a remark about a setting that lets the server lose a confirmed term. */
    Findings notDurable(String remark) {
        durable = false;
        return remark(remark);
    }

    Findings remark(String remark) {
        remarks.add(remark);
        return this;
    }

    /** Records that the store must call {@link Dialect#force} after each write. */
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
