package dev.doyen.fence.servlet;

import dev.doyen.fence.Fence;
import dev.doyen.fence.FenceFullException;
import dev.doyen.fence.FenceHeaders;
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
 * Rejects requests whose term is lower than an earlier term of the same resource.
 *
 * <p>The fence stores the highest term that it has admitted for each resource. {@link FenceHeaders} describes the
 * headers. For an admitted request, the attribute {@value #ADMITTED} contains its {@link RequestTerm}.
 *
 * <p>The status of a rejection is one of these:
 *
 * <ul>
 *   <li>412 Precondition Failed: the term is stale. The term is a precondition of the request, and this precondition
 *       does not hold. The status 409 would suggest that the client resolves a conflict and tries again.
 *   <li>428 Precondition Required (RFC 6585): a guarded request has no term, but the filter requires a term.
 *   <li>400: a fencing header is malformed or occurs twice, or the name of the resource is missing or wrong.
 *   <li>503: the fence is full or cannot be reached.
 * </ul>
 *
 * <p>Every rejection has a body of type {@code application/problem+json} (RFC 9457) with a sentence for people.
 *
 * <p>The filter has two limits. First, an admitted request can still be running when the first request of a later
 * leader arrives. If the application must prevent this overlap, admit the term again in the transaction that writes.
 * Second, the filter does not authenticate clients. A client can send a very high term, and the fence then rejects
 * every leader. Therefore reject unknown clients before this filter.
 *
 * <p>A filter in a deployment descriptor has an in-memory fence and these init parameters:
 *
 * <ul>
 *   <li>{@code resource}: the name of the resource. If this parameter is absent, each request must contain the name of
 *       its resource.
 *   <li>{@code unguarded}: the HTTP methods that pass without a check, separated by spaces or commas. Default: GET HEAD
 *       OPTIONS TRACE.
 *   <li>{@code term-required}: if true (the default), the filter rejects a guarded request without a term; if false,
 *       the request may proceed.
 *   <li>{@code resources}: the maximum number of resources that the fence stores.
 * </ul>
 *
 * <p>Threads: the methods may be called on any thread.
 */
public final class FenceFilter extends HttpFilter {

    /** The name of the request attribute that contains the admitted {@link RequestTerm}. */
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
        Optional<Problem> problem = requiresCheck(request, set) ? look(request, set) : Optional.empty();
        if (problem.isPresent()) {
            problem.get().sendTo(response);
        } else {
            chain.doFilter(request, response);
        }
    }

    /**
     * Returns true if the filter must check the request. Asynchronous dispatches and error dispatches are not checked,
     * because the filter has already checked the original request.
     */
    private static boolean requiresCheck(HttpServletRequest request, FenceFilterSettings set) {
        DispatcherType type = request.getDispatcherType();
        return type != DispatcherType.ASYNC
                && type != DispatcherType.ERROR
                && !set.unguarded().contains(request.getMethod());
    }

    /**
     * Admits the term of the request. Returns an empty result if the request may proceed, or the reason for its
     * rejection.
     */
    private static Optional<Problem> look(HttpServletRequest request, FenceFilterSettings set) {
        try {
            Optional<RequestTerm> offered = offered(request, set.resource());
            if (offered.isPresent()) {
                set.fence().admit(offered.get().resource(), offered.get().term());
                request.setAttribute(ADMITTED, offered.get());
            } else if (set.termRequired()) {
                return Optional.of(Problem.of(
                        428,
                        "Term required",
                        request.getMethod() + " is rejected without a term; send " + FenceHeaders.TOKEN
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
            // The message of the exception can contain the names of hosts and tables, which clients must not receive.
            return Optional.of(Problem.of(
                    503, "Fence unavailable", "the fence could not be read, so the request is rejected; try again"));
        } catch (IllegalArgumentException e) {
            return Optional.of(Problem.of(400, "Malformed fencing header", sentence(e)));
        }
    }

    private static Optional<RequestTerm> offered(HttpServletRequest request, Optional<String> guarded) {
        Optional<String> token = single(request, FenceHeaders.TOKEN);
        Optional<String> named = single(request, FenceHeaders.RESOURCE).map(FenceHeaders::resource);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        long term = FenceHeaders.term(token.get());
        if (guarded.isPresent() && named.isPresent() && !named.equals(guarded)) {
            throw new IllegalArgumentException(
                    FenceHeaders.RESOURCE + " is \"" + named.get() + "\", but the guarded resource is \""
                            + guarded.get() + "\"; send that name, or leave the header out");
        }
        String resource = guarded.or(() -> named)
                .orElseThrow(() -> new IllegalArgumentException(FenceHeaders.RESOURCE + " is missing beside "
                        + FenceHeaders.TOKEN + "; send the name of the resource"));
        return Optional.of(new RequestTerm(resource, term));
    }

    /**
     * Returns the only value of the header. Rejects a request that contains the header more than once, because the
     * values could contradict each other.
     */
    private static Optional<String> single(HttpServletRequest request, String header) {
        Enumeration<String> values = request.getHeaders(header);
        if (values == null || !values.hasMoreElements()) {
            return Optional.empty();
        }
        String first = values.nextElement();
        if (values.hasMoreElements()) {
            throw new IllegalArgumentException(header + " occurs more than once; send it once");
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
            default -> throw new IllegalArgumentException("term-required is \"" + text + "\"; write true or false");
        };
    }

    private static int count(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("resources is \"" + text + "\"; write a whole number", e);
        }
    }

    private static String sentence(RuntimeException e) {
        return String.valueOf(e.getMessage());
    }

    /**
     * The term of a request, and the resource that the request writes to.
     *
     * @param resource 1 to 255 characters, no control characters
     * @param term the fencing token, 1 or more
     */
    public record RequestTerm(String resource, long term) {}

    /** A rejection that is sent as a response. */
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
