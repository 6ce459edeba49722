package dev.doyen.fence.servlet;

import dev.doyen.fence.Fence;
import dev.doyen.text.ElectionNames;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a {@link FenceFilter}. Start with {@link #guarding} or {@link #guardingWhatIsNamed}.
 *
 * @param fence the fence that stores the admitted terms
 * @param resource the name of the resource of all requests; empty if each request contains the name of its resource
 * @param unguarded the methods that pass without a check. All other methods are guarded, including unknown methods
 * @param termRequired true to reject a guarded request without a term; false to let it pass unguarded
 */
public record FenceFilterSettings(Fence fence, Optional<String> resource, Set<String> unguarded, boolean termRequired) {

    /** The HTTP methods that do not change a resource. Source: RFC 9110 section 9.2.1. */
    public static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    public FenceFilterSettings {
        resource.ifPresent(name -> ElectionNames.check("resource", name));
        unguarded = Set.copyOf(unguarded);
    }

    /**
     * Guards one resource for all requests.
     *
     * <p>With one fixed resource, a client cannot bypass the fence with another resource name or fill the fence with
     * names.
     */
    public static FenceFilterSettings guarding(String resource, Fence fence) {
        return new FenceFilterSettings(fence, Optional.of(resource), SAFE_METHODS, true);
    }

    /**
     * Guards the resource whose name each request contains. Use this method only if the clients can be trusted to
     * send the correct name.
     */
    public static FenceFilterSettings guardingWhatIsNamed(Fence fence) {
        return new FenceFilterSettings(fence, Optional.empty(), SAFE_METHODS, true);
    }

    /** Returns these settings with another set of HTTP methods that pass without a check. */
    public FenceFilterSettings withUnguarded(Set<String> methods) {
        return new FenceFilterSettings(fence, resource, methods, termRequired);
    }

    /**
     * Returns these settings with another rule for requests without a term.
     *
     * <p>Use false if some clients do not send a term yet.
     */
    public FenceFilterSettings withTermRequired(boolean required) {
        return new FenceFilterSettings(fence, resource, unguarded, required);
    }
}
