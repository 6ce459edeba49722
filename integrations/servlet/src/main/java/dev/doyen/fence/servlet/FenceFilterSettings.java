package dev.doyen.fence.servlet;

import dev.doyen.fence.Fence;
import dev.doyen.text.ElectionNames;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a {@link FenceFilter}. Start with {@link #guarding} or {@link #guardingWhatIsNamed}.
 *
 * @param fence remembers the terms
 * @param resource the resource of all requests behind the filter; empty if each request names it
 * @param unguarded methods that pass without a check. All other methods are guarded, even unknown ones, so that no
 *     method is left out by mistake
 * @param termRequired true to reject a guarded request without a term; false to let it pass unguarded
 */
public record FenceFilterSettings(Fence fence, Optional<String> resource, Set<String> unguarded, boolean termRequired) {

    /** The methods that change nothing. Source: RFC 9110 section 9.2.1. */
    public static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    public FenceFilterSettings {
        resource.ifPresent(name -> ElectionNames.check("resource", name));
        unguarded = Set.copyOf(unguarded);
    }

    /**
     * Guards one resource for all requests.
     *
     * <p>So a client cannot evade the fence by naming another resource, or fill it with names.
     */
    public static FenceFilterSettings guarding(String resource, Fence fence) {
        return new FenceFilterSettings(fence, Optional.of(resource), SAFE_METHODS, true);
    }

    /** Guards the resource that each request names. For clients that are trusted to name the right one. */
    public static FenceFilterSettings guardingWhatIsNamed(Fence fence) {
        return new FenceFilterSettings(fence, Optional.empty(), SAFE_METHODS, true);
    }

    /** Returns these settings with other methods that pass without a check. */
    public FenceFilterSettings withUnguarded(Set<String> methods) {
        return new FenceFilterSettings(fence, resource, methods, termRequired);
    }

    /**
     * Returns these settings with another choice for requests without a term.
     *
     * <p>Use false while some clients do not send a term yet.
     */
    public FenceFilterSettings withTermRequired(boolean required) {
        return new FenceFilterSettings(fence, resource, unguarded, required);
    }
}
