package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Map;

/** The apps that test suites make for themselves, on a hub that lets them. */
public interface AppBook {

    /**
     * What a suite wants to begin with.
     *
     * @param capabilities one per key, as text
     * @param members who is to be present, by channel
     */
    record Plan(List<String> capabilities, Map<String, List<PresenceMessage>> members) {
        public Plan {
            capabilities = List.copyOf(capabilities);
            members = Map.copyOf(members);
        }
    }

    /** Makes an app, and returns it as the suite is told of it, keys included. */
    ObjectNode create(Plan plan) throws Refusal;

    /** Ends an app: its keys are good no longer, and who was present from its beginning leaves. */
    void delete(Access access, String appId) throws Refusal;
}
