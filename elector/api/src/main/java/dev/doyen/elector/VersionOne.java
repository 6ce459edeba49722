package dev.doyen.elector;

import dev.doyen.event.Leader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Handles {@code /v1}: finds the resource, validates the request, and builds the answer. */
final class VersionOne {

    /**
     * The resources and their methods. HEAD is allowed for each resource that allows GET. The OpenAPI document contains
     * the same resources and methods.
     */
    static final Map<String, List<String>> ROUTES = routes();

    private final Elections elections;
    private final ElectorSettings settings;
    private final Announcements announcements;

    VersionOne(Elections elections, ElectorSettings settings, Announcements announcements) {
        this.elections = elections;
        this.settings = settings;
        this.announcements = announcements;
    }

    /** Returns true if this path belongs to {@code /v1}. */
    static boolean has(String path) {
        return path.equals("/v1") || path.startsWith("/v1/");
    }

    ElectorAnswer answer(ElectorRequest request) {
        var segments = request.segments();
        if (segments.isEmpty()) {
            return bad("the path has a percent escape that is not UTF-8; percent-encode names");
        }
        var path = segments.get();
        var template = template(path);
        var methods = ROUTES.get(template);
        if (methods == null) {
            return ElectorResponse.problem(
                    404, "Not Found", "unknown resource; the resources are " + String.join(", ", ROUTES.keySet()));
        }
        var method = request.method().equals("HEAD") ? "GET" : request.method();
        if (!methods.contains(method)) {
            var allowed = String.join(", ", methods) + (methods.contains("GET") ? ", HEAD" : "");
            return ElectorResponse.problem(
                            405,
                            "Method Not Allowed",
                            "the method " + Elector.shortened(request.method()) + " is not supported; use "
                                    + allowed.replace(", HEAD", " or HEAD"))
                    .with("Allow", allowed);
        }
        if (template.equals("/v1/openapi.json")) {
            return ElectorResponse.json(200, OpenApi.TEXT);
        }
        if (template.equals("/v1/elections")) {
            return ElectorResponse.json(200, ElectionJson.elections(elections.list()));
        }
        var found = elections.find(path.get(2));
        return found.isPresent()
                ? aboutElection(request, template, method, path, found.get())
                : unknownElection(path.get(2));
    }

    /**
     * Returns the answer for an election whose state is unknown.
     *
     * <p>Clients give up after 404, and retry after 503. The state of the process's own election is unknown only at the
     * start, for example before the store has answered.
     */
    private ElectorResponse unknownElection(String name) {
        return name.equals(settings.defaultElection())
                ? Elector.unavailable("nothing is known yet about the election \"" + Elector.shortened(name) + "\""
                        + elections
                                .whyUnknown(name)
                                .map(why -> ": " + why.sentence())
                                .orElse("")
                        + "; request again in a few seconds")
                : ElectorResponse.problem(
                        404,
                        "Not Found",
                        "nothing is known about an election named \"" + Elector.shortened(name) + "\"");
    }

    private ElectorAnswer aboutElection(
            ElectorRequest request, String template, String method, List<String> path, ElectionView view) {
        return switch (template.substring("/v1/elections/{name}".length())) {
            case "" -> election(request, view);
            case "/events" -> eventStream(request, view);
            case "/history" -> history(view);
            case "/am-i-leader" -> amILeader(request, view);
            default -> adminCommand(request, template, method, path, view.name());
        };
    }

    private ElectorAnswer adminCommand(
            ElectorRequest request, String template, String method, List<String> path, String election) {
        String resource = template.substring("/v1/elections/{name}".length());
        String action = action(resource, method);
        var check = settings.adminAccess().check(request, election);
        if (check.refusal().isPresent()) {
            return new RejectedCommand(
                    action, election, request.address(), check.refusal().get());
        }
        try {
            AdminCommand command = command(request, resource, method, path, election);
            return new AcceptedCommand(command, action, new Admin(check.admin(), request.address()));
        } catch (IllegalArgumentException e) {
            return bad(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the name of a command in the log. */
    private static String action(String resource, String method) {
        return switch (resource) {
            case "/state" -> method.equals("GET") ? "read-state" : "save-state";
            case "/candidates/{id}" -> method.equals("PUT") ? "campaign" : "withdraw";
            default -> resource.substring(1);
        };
    }

    private static AdminCommand command(
            ElectorRequest request, String resource, String method, List<String> path, String election) {
        return switch (resource) {
            case "/resign" -> {
                var fields = AdminCommandFields.of(request);
                yield new AdminCommand.Resign(election, fields.reason(), fields.cooldown(), fields.waitFor());
            }
            case "/transfer" -> {
                var fields = AdminCommandFields.of(request);
                yield new AdminCommand.Transfer(election, fields.required("to"), fields.reason(), fields.waitFor());
            }
            case "/pause" ->
                new AdminCommand.Pause(election, AdminCommandFields.of(request).reason());
            case "/resume" -> new AdminCommand.Resume(election);
            case "/state" ->
                method.equals("GET")
                        ? new AdminCommand.ReadState(election)
                        : new AdminCommand.SaveState(election, request.body());
            default ->
                method.equals("PUT")
                        ? new AdminCommand.Campaign(
                                election,
                                path.get(4),
                                AdminCommandFields.of(request).campaignFor())
                        : new AdminCommand.Withdraw(election, path.get(4));
        };
    }

    private ElectorAnswer history(ElectionView view) {
        return elections
                .history(view.name())
                .map(past -> ElectorResponse.json(200, ElectionJson.history(view.name(), past)))
                .orElseGet(() -> ElectorResponse.problem(
                        404, "Not Found", "this program has no history; use doyen elector or doyen history"));
    }

    private static ElectorAnswer amILeader(ElectorRequest request, ElectionView view) {
        var id = request.parameter("id").orElse("");
        if (id.isEmpty()) {
            return bad("the query parameter id is missing; ask .../am-i-leader?id=NAME");
        }
        boolean leads = view.leader().isPresent() && view.leader().get().id().equals(id);
        return fenced(ElectorResponse.json(leads ? 200 : 409, ElectionJson.amILeader(id, leads, view)), view.leader());
    }

    private static ElectorAnswer election(ElectorRequest request, ElectionView view) {
        var tag = entityTag(view);
        var clientTags = request.header("if-none-match").map(VersionOne::listed);
        if (clientTags.isPresent()
                && (clientTags.get().contains(tag) || clientTags.get().contains("*"))) {
            return fenced(
                    new ElectorResponse(304, Map.of("ETag", tag, "Cache-Control", "no-cache"), ""), view.leader());
        }
        return fenced(ElectorResponse.json(200, ElectionJson.election(view)), view.leader())
                .with("ETag", tag);
    }

    /** Returns the elements of a list in a header. */
    private static List<String> listed(String header) {
        return Arrays.stream(header.split(",")).map(String::strip).toList();
    }

    private ElectorAnswer eventStream(ElectorRequest request, ElectionView view) {
        var heartbeat = Elector.heartbeatOf(request);
        if (heartbeat.isEmpty()) {
            return Elector.badHeartbeat(request);
        }
        var first =
                "retry: " + Elector.RETRY_MILLIS + "\n" + announcements.opening(view, request.header("last-event-id"));
        return new ElectorStream(view.name(), ElectorStream.Dialect.EVENTS, first, heartbeat.get());
    }

    /**
     * Returns a weak entity tag. The tag does not contain {@code lastUpdate}, because each confirmation of the
     * leadership changes this field.
     */
    private static String entityTag(ElectionView view) {
        int who = view.leader().hashCode();
        String why = view.noLeader().map(none -> "-" + none.reason()).orElse("");
        return "W/\"" + view.lastTerm() + "-" + view.since().toEpochMilli() + "-" + Integer.toHexString(who) + why
                + "\"";
    }

    static ElectorResponse fenced(ElectorResponse response, Optional<Leader> leader) {
        return leader.map(known -> response.with("X-Fencing-Token", Long.toString(known.term())))
                .orElse(response);
    }

    /** Returns the template of a path. Only a name or an id may contain a slash; otherwise the result is empty. */
    private static String template(List<String> path) {
        var text = new StringBuilder();
        for (int at = 0; at < path.size(); at++) {
            boolean isName = at == 2 && path.get(1).equals("elections");
            boolean isId = at == 4 && path.get(3).equals("candidates");
            if (!isName && !isId && path.get(at).contains("/")) {
                return "";
            }
            text.append('/').append(isName ? "{name}" : isId ? "{id}" : path.get(at));
        }
        return text.toString();
    }

    private static ElectorResponse bad(String sentence) {
        return ElectorResponse.problem(400, "Bad Request", sentence);
    }

    private static Map<String, List<String>> routes() {
        var routes = new LinkedHashMap<String, List<String>>();
        routes.put("/v1/elections", List.of("GET"));
        routes.put("/v1/elections/{name}", List.of("GET"));
        routes.put("/v1/elections/{name}/events", List.of("GET"));
        routes.put("/v1/elections/{name}/history", List.of("GET"));
        routes.put("/v1/elections/{name}/am-i-leader", List.of("GET"));
        routes.put("/v1/elections/{name}/resign", List.of("POST"));
        routes.put("/v1/elections/{name}/transfer", List.of("POST"));
        routes.put("/v1/elections/{name}/pause", List.of("POST"));
        routes.put("/v1/elections/{name}/resume", List.of("POST"));
        routes.put("/v1/elections/{name}/state", List.of("GET", "PUT"));
        routes.put("/v1/elections/{name}/candidates/{id}", List.of("PUT", "DELETE"));
        routes.put("/v1/openapi.json", List.of("GET"));
        return java.util.Collections.unmodifiableMap(routes);
    }

    /** The OpenAPI document. The document is loaded at its first request, because few clients request it. */
    private static final class OpenApi {
        static final String TEXT = read();

        private static String read() {
            try (InputStream in = VersionOne.class.getResourceAsStream("openapi.json")) {
                if (in == null) {
                    throw new IllegalStateException("openapi.json is not on the class path");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
