package dev.doyen.store;

import java.util.List;

/**
 * Guarantees of a store beyond compare-and-set, as found when it was opened.
 *
 * @param durableTerms true if a confirmed term survives the end of every process and a crash of the machine
 * @param watches true if the store announces changes, so that a handover does not wait for a poll
 * @param scope which participants the store can connect, such as "one JVM" or "one machine"
 * @param remarks sentences for people: which server setting removes a guarantee and how to change it, and what else an
 *     operator should know
 */
public record StorePromises(boolean durableTerms, boolean watches, String scope, List<String> remarks) {
    public StorePromises {
        remarks = List.copyOf(remarks);
    }

    public StorePromises(boolean durableTerms, boolean watches, String scope) {
        this(durableTerms, watches, scope, List.of());
    }
}
