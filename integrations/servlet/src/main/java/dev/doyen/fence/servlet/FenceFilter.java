package dev.doyen.fence.servlet;

import dev.doyen.fence.Fence;
import dev.doyen.fence.FenceFullException;
import dev.doyen.fence.FenceHeaders;
import dev.doyen.fence.OfferedTerm;
import dev.doyen.fence.StaleTermException;
import dev.doyen.store.StoreUnavailableException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests with a lower term than the fence has admitted for the same resource.
 *
 * <p>{@link FenceHeaders} describes the headers. For an admitted request, the attribute {@value #ADMITTED} contains its
 * {@link OfferedTerm}.
 *
 * <p>The status of a rejection is one of these:
 *
 * <ul>
 *   <li>412 Precondition Failed: the term is stale. The term is a condition of the request, and it does not hold. 409
 *       would invite the client to resolve a conflict and to try again.
 *   <li>428 Precondition Required (RFC 6585): a guarded request has no term.
 *   <li>400: a header is malformed.
 *   <li>503: the fence is full or cannot be reached.
 * </ul>
 *
 * <p>Every rejection has a body of type {@code application/problem+json} (RFC 9457) with a sentence for people.
 *
 * <p>The filter has two limits. A request that it has admitted may still be at work when the first request of a later
 * leader arrives. If that matters, admit the term again in the transaction that writes. And the filter authenticates
 * nobody. A client that may send a term may also send a very high one, which locks out every leader. So reject
 * strangers before this filter.
 *
 * <p>In a deployment descriptor the filter has these init parameters, and its fence is in memory:
 *
 * <ul>
 *   <li>{@code resource}: the name of the resource. If absent, each request names it.
 *   <li>{@code unguarded}: methods, separated by blanks or commas. Default: GET HEAD OPTIONS TRACE.
 *   <li>{@code term-required}: true (the default) or false.
 *   <li>{@code resources}: maximum number of resources that the fence remembers.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class FenceFilter extends HttpFilter {

    /** The request attribute with the admitted {@link OfferedTerm}. */
    public static final String ADMITTED = "dev.doyen.fence.admitted";

    private static final long serialVersionUID = 1L;

    private transient volatile @Nullable FenceFilterSettings settings;

    /** Creates a filter for a servlet container, which passes the settings as init parameters. */
    public FenceFilter() {}

    /** Creates a filter with these settings. Init parameters are ignored. */
    public FenceFilter(FenceFilterSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init() throws ServletException {
        if (settings != null) {
            return;
        }
        try {
            settings = fromInitParameters();
        } catch (IllegalArgumentException e) {
            throw new ServletException("filter \"" + getFilterName() + "\": " + e.getMessage(), e);
        }
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        FenceFilterSettings set = settings;
        if (set == null) {
            throw new ServletException("the filter was not initialized; let the container do it, or give it settings");
        }
        Optional<Problem> problem = isToBeLookedAt(request, set) ? look(request, set) : Optional.empty();
        if (problem.isPresent()) {
            problem.get().sendTo(response);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** An admitted request is not checked again when the container dispatches it again. */
    private static boolean isToBeLookedAt(HttpServletRequest request, FenceFilterSettings set) {
        DispatcherType type = request.getDispatcherType();
        return type != DispatcherType.ASYNC
                && type != DispatcherType.ERROR
                && !set.unguarded().contains(request.getMethod());
    }

    /** Admits the term of the request, or returns the reason for its rejection. Empty if the request may proceed. */
    private static Optional<Problem> look(HttpServletRequest request, FenceFilterSettings set) {
        try {
            Optional<OfferedTerm> offered = offered(request, set.resource());
            if (offered.isPresent()) {
                offered.get().admitBy(set.fence());
                request.setAttribute(ADMITTED, offered.get());
            } else if (set.termRequired()) {
                return Optional.of(Problem.of(
                        428,
                        "Term required",
                        request.getMethod() + " is refused without a term; send " + FenceHeaders.TOKEN
                                + ": <the leader's term>"
                                + (set.resource().isPresent() ? "" : " and " + FenceHeaders.RESOURCE)));
            }
            return Optional.empty();
        } catch (StaleTermException e) {
            return Optional.of(Problem.of(412, "Stale term", sentence(e))
                    .with("offered", e.offered())
                    .with("seen", e.seen()));
        } catch (FenceFullException e) {
            return Optional.of(Problem.of(503, "Fence full", sentence(e)));
        } catch (StoreUnavailableException e) {
            // Its message may contain hosts and tables, which clients must not see.
            return Optional.of(Problem.of(
                    503, "Fence unavailable", "the fence could not be asked, so nothing is admitted; try again"));
        } catch (IllegalArgumentException e) {
            return Optional.of(Problem.of(400, "Malformed fencing header", sentence(e)));
        }
    }

    private static Optional<OfferedTerm> offered(HttpServletRequest request, Optional<String> guarded) {
        Optional<String> token = single(request, FenceHeaders.TOKEN);
        Optional<String> named = single(request, FenceHeaders.RESOURCE).map(FenceHeaders::resource);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        long term = FenceHeaders.term(token.get());
        if (guarded.isPresent() && named.isPresent() && !named.equals(guarded)) {
            throw new IllegalArgumentException(FenceHeaders.RESOURCE + " is \"" + named.get()
                    + "\", but what is guarded here is \"" + guarded.get() + "\"; send that, or leave the header out");
        }
        String resource = guarded.or(() -> named)
                .orElseThrow(() -> new IllegalArgumentException(FenceHeaders.RESOURCE + " is missing beside "
                        + FenceHeaders.TOKEN + "; send the name of what is written to"));
        return Optional.of(new OfferedTerm(resource, term));
    }

    /** Returns the only value of the header. Rejects several values, because they contradict each other. */
    private static Optional<String> single(HttpServletRequest request, String header) {
        Enumeration<String> values = request.getHeaders(header);
        if (values == null || !values.hasMoreElements()) {
            return Optional.empty();
        }
        String first = values.nextElement();
        if (values.hasMoreElements()) {
            throw new IllegalArgumentException(header + " comes more than once; send it once");
        }
        return Optional.of(first);
    }

    private FenceFilterSettings fromInitParameters() {
        int resources = parameter("resources").map(FenceFilter::count).orElse(Fence.DEFAULT_RESOURCES);
        Fence fence = Fence.inMemory(resources);
        FenceFilterSettings set = parameter("resource")
                .map(name -> FenceFilterSettings.guarding(name, fence))
                .orElseGet(() -> FenceFilterSettings.guardingWhatIsNamed(fence));
        Optional<Set<String>> unguarded = parameter("unguarded").map(FenceFilter::methods);
        return set.withUnguarded(unguarded.orElse(set.unguarded()))
                .withTermRequired(
                        parameter("term-required").map(FenceFilter::flag).orElse(true));
    }

    private Optional<String> parameter(String name) {
        return Optional.ofNullable(getInitParameter(name)).map(String::strip);
    }

    private static Set<String> methods(String text) {
        return Arrays.stream(text.split("[\\s,]+"))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.toSet());
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("term-required is \"" + text + "\"; say true or false");
        };
    }

    private static int count(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("resources is \"" + text + "\"; say how many, as a whole number", e);
        }
    }

    private static String sentence(RuntimeException e) {
        return String.valueOf(e.getMessage());
    }

    /** A rejection as a response. */
    private record Problem(int status, Map<String, Object> members) {

        static Problem of(int status, String title, String detail) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("type", "about:blank");
            members.put("title", title);
            members.put("status", status);
            members.put("detail", detail);
            return new Problem(status, members);
        }

        Problem with(String name, long value) {
            Map<String, Object> more = new LinkedHashMap<>(members);
            more.put(name, value);
            return new Problem(status, more);
        }

        void sendTo(HttpServletResponse response) throws IOException {
            byte[] body = ProblemJson.bytes(members);
            response.setStatus(status);
            response.setContentType("application/problem+json");
            response.setHeader("Cache-Control", "no-store");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }
}
