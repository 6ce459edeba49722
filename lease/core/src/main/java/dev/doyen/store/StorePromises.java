package dev.doyen.store;

import java.util.List;

/**
 * The guarantees of a store beyond compare-and-set, as determined when the store was opened.
 *
 * @param durableTerms true if the store keeps a confirmed term even when all processes end or the computer crashes
 * @param watches true if the store announces changes. Without announcements, a handover takes longer: it waits until
 *     another candidate reads the record
 * @param scope the range of the participants that can share the store, such as "one JVM" or "one machine"
 * @param remarks warnings for operators, such as a server setting that removes a guarantee, and the remedy
 */
public record StorePromises(boolean durableTerms, boolean watches, String scope, List<String> remarks) {
    public StorePromises {
        remarks = List.copyOf(remarks);
    }

    public StorePromises(boolean durableTerms, boolean watches, String scope) {
        this(durableTerms, watches, scope, List.of());
    }
}
