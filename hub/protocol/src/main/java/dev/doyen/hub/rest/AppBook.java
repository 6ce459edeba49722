package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Map;

/** Creates and deletes the apps of test suites on a sandbox hub. */
public interface AppBook {

    /**
     * The requested content of a new app.
     *
     * @param capabilities the capabilities as text, one for each key of the app
     * @param members the initial members by channel
     */
    record Plan(List<String> capabilities, Map<String, List<PresenceMessage>> members) {
        public Plan {
            capabilities = List.copyOf(capabilities);
            members = Map.copyOf(members);
        }
    }

    /** Creates an app. Returns a description of the app for the test suite, including the keys. */
    ObjectNode create(Plan plan) throws Refusal;

    /** Deletes an app. The keys of the app become invalid, and its initial members leave. */
    void delete(Access access, String appId) throws Refusal;
}
