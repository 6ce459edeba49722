package dev.doyen.fence.servlet;

import dev.doyen.fence.Fence;
import dev.doyen.store.ElectionNames;
import java.util.Optional;
import java.util.Set;

/**
 * What a {@link FenceFilter} guards, and how. Begin with {@link #guarding} or {@link #guardingWhatIsNamed}.
 *
 * @param fence what remembers the terms
 * @param resource what every request behind the filter writes to; empty if each request names it
 * @param unguarded methods that pass without a look at their headers. Everything else is guarded, known or not:
 *     a method nobody thought of should not be the hole in the fence
 * @param termRequired whether a guarded request without a term is refused; if not, it passes unguarded
 */
public record FenceFilterSettings(Fence fence, Optional<String> resource, Set<String> unguarded, boolean termRequired) {

    /** The methods that change nothing. Source: RFC 9110 section 9.2.1. */
    public static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    public FenceFilterSettings {
        resource.ifPresent(name -> ElectionNames.check("resource", name));
        unguarded = Set.copyOf(unguarded);
    }

    /** One resource, named here: a client cannot slip past by naming another, or fill the fence with names. */
    public static FenceFilterSettings guarding(String resource, Fence fence) {
        return new FenceFilterSettings(fence, Optional.of(resource), SAFE_METHODS, true);
    }

    /** Each request names its resource. For clients that are trusted to name the right one. */
    public static FenceFilterSettings guardingWhatIsNamed(Fence fence) {
        return new FenceFilterSettings(fence, Optional.empty(), SAFE_METHODS, true);
    }

    public FenceFilterSettings withUnguarded(Set<String> methods) {
        return new FenceFilterSettings(fence, resource, methods, termRequired);
    }

    /** For the time in which not all clients send a term yet. */
    public FenceFilterSettings withTermRequired(boolean required) {
        return new FenceFilterSettings(fence, resource, unguarded, required);
    }
}
