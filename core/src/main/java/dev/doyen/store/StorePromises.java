package dev.doyen.store;

import java.util.List;

/**
 * What a store promises beyond compare-and-set, as found when it was opened.
 *
 * @param durableTerms a term once confirmed survives the end of every process and of the machine
 * @param watches changes are announced, so that a graceful hand-over does not wait for a poll
 * @param scope how far it reaches, in words: "one JVM", "one machine"
 * @param remarks sentences for people: which setting of the server takes a promise away and how to give it back, and
 *     what else an operator should know
 */
public record StorePromises(boolean durableTerms, boolean watches, String scope, List<String> remarks) {
    public StorePromises {
        remarks = List.copyOf(remarks);
    }

    public StorePromises(boolean durableTerms, boolean watches, String scope) {
        this(durableTerms, watches, scope, List.of());
    }
}
