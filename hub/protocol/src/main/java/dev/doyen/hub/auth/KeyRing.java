package dev.doyen.hub.auth;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The valid keys: the hub's own keys, and the keys of apps from test suites. */
final class KeyRing {

    private HubKeys own;
    private final Map<String, HubKeys> lentByApp = new LinkedHashMap<>();

    KeyRing(HubKeys own) {
        this.own = own;
    }

    /** Replaces the hub's own keys. The keys of apps stay valid. */
    KeyChange replace(HubKeys next) {
        KeyChange change = own.to(next);
        own = next;
        return change;
    }

    /** Adds all keys of an app. The key ring must not contain keys of that app. */
    void lend(List<HubKey> keys) {
        lentByApp.put(keys.get(0).appId(), HubKeys.ofKeys(keys));
    }

    void takeBack(String appId) {
        lentByApp.remove(appId);
    }

    Optional<HubKey> find(@Nullable String name) {
        return name == null ? Optional.empty() : keysOf(name).find(name);
    }

    Optional<HubKey> authenticate(String text) {
        return keysOf(text).authenticate(text);
    }

    private HubKeys keysOf(String name) {
        int dot = name.indexOf('.');
        return lentByApp.getOrDefault(dot < 0 ? name : name.substring(0, dot), own);
    }
}
