package dev.doyen.elector;

import dev.doyen.event.Leader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers the elector API: {@code /}, {@code /sse}, {@code /isLeader} and {@code /v1}.
 *
 * <p>{@code /} never fails and never leaves a field out, whatever the path or method: many of its callers take an error
 * for "you lead". An unknown leader is the empty name, which equals nobody's.
 *
 * <p>Threads: one thread at a time may call it. It reads no clock.
 */
public final class Elector {

    static final Duration MIN_HEARTBEAT = Duration.ofSeconds(1);
    static final Duration MAX_HEARTBEAT = Duration.ofMinutes(5);
    static final Duration DEFAULT_EVENTS_HEARTBEAT = Duration.ofSeconds(15);
    static final int RETRY_MILLIS = 2_000;

    /** Names come from the request; a refusal repeats no more of them than this many characters. */
    static final int MAX_ECHOED_LENGTH = 100;

    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,4})s");

    private final Elections elections;
    private final ElectorSettings settings;
    private final Announcements announcements;

    public Elector(Elections elections, ElectorSettings settings) {
        this.elections = elections;
        this.settings = settings;
        this.announcements = new Announcements(settings);
    }

    /** Answers one request; {@code now} is shown as the time of the answer where nothing was ever confirmed. */
    public ElectorAnswer answer(ElectorRequest request, Instant now) {
        var path = request.path();
        if (path.equals("/v1") || path.startsWith("/v1/")) {
            return versionOne(request);
        }
        return switch (path) {
            case "/sse" -> plainStream(request, now);
            case "/isLeader" -> isLeader(request, now);
            default -> leaderName(200, defaultElection(now));
        };
    }

    /** The answer of {@code /} when even asking failed. */
    public static ElectorResponse unknownLeader(Instant now) {
        return ElectorResponse.json(200, ElectionJson.leaderName("", now));
    }

    /** Takes a change in. Empty if listeners were already told so, else what to write to each of their streams. */
    public Optional<Announcement> changed(ElectionView view) {
        return announcements.add(view);
    }

    private ElectionView defaultElection(Instant now) {
        return elections
                .find(settings.defaultElection())
                .orElseGet(() -> new ElectionView(settings.defaultElection(), Optional.empty(), 0, now, now));
    }

    private static ElectorResponse leaderName(int status, ElectionView view) {
        return fenced(
                ElectorResponse.json(status, ElectionJson.leaderName(view.leaderIdOrEmpty(), view.lastUpdate())),
                view.leader());
    }

    private ElectorAnswer isLeader(ElectorRequest request, Instant now) {
        var id = request.parameter("id");
        if (id.isEmpty() || id.get().isEmpty()) {
            return ElectorResponse.problem(
                    400, "Bad Request", "the query parameter id is missing; ask /isLeader?id=NAME");
        }
        var view = defaultElection(now);
        boolean leads = view.leader().isPresent() && view.leader().get().id().equals(id.get());
        return leaderName(leads ? 200 : 409, view);
    }

    private ElectorAnswer plainStream(ElectorRequest request, Instant now) {
        var asked = request.parameter("heartbeat");
        var heartbeat = asked.flatMap(Elector::heartbeatIn);
        if (asked.isPresent() && heartbeat.isEmpty()) {
            return badHeartbeat(asked.get());
        }
        var view = announcements.latest(defaultElection(now));
        var first = Announcements.plainBlock(ElectionJson.leaderName(view.leaderIdOrEmpty(), view.lastUpdate()));
        return new ElectorStream(settings.defaultElection(), ElectorStream.Dialect.PLAIN, first, heartbeat);
    }

    private ElectorAnswer versionOne(ElectorRequest request) {
        var segments = request.segments();
        if (segments.isEmpty()) {
            return ElectorResponse.problem(
                    400, "Bad Request", "the path has a percent escape that is no UTF-8; write names percent-encoded");
        }
        var path = segments.get();
        boolean known = path.size() >= 2
                && path.get(1).equals("elections")
                && (path.size() <= 3 || (path.size() == 4 && path.get(3).equals("events")));
        if (!known) {
            return ElectorResponse.problem(
                    404,
                    "Not Found",
                    "there is no such resource; there are /v1/elections, /v1/elections/{name} and"
                            + " /v1/elections/{name}/events");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return ElectorResponse.problem(
                            405,
                            "Method Not Allowed",
                            "the method " + shortened(request.method()) + " is not served here; use GET or HEAD")
                    .with("Allow", "GET, HEAD");
        }
        if (path.size() == 2) {
            return ElectorResponse.json(200, ElectionJson.elections(elections.list()));
        }
        var found = elections.find(path.get(2));
        if (found.isEmpty()) {
            return ElectorResponse.problem(
                    404, "Not Found", "nothing is known about an election named \"" + shortened(path.get(2)) + "\"");
        }
        return path.size() == 3 ? election(request, found.get()) : eventStream(request, found.get());
    }

    private static ElectorAnswer election(ElectorRequest request, ElectionView view) {
        var tag = entityTag(view);
        var asked = request.header("if-none-match").map(tags -> List.of(tags.split("\\s*,\\s*")));
        if (asked.isPresent() && (asked.get().contains(tag) || asked.get().contains("*"))) {
            return fenced(
                    new ElectorResponse(304, Map.of("ETag", tag, "Cache-Control", "no-cache"), ""), view.leader());
        }
        return fenced(ElectorResponse.json(200, ElectionJson.election(view)), view.leader())
                .with("ETag", tag);
    }

    private ElectorAnswer eventStream(ElectorRequest request, ElectionView view) {
        var asked = request.parameter("heartbeat");
        var heartbeat = asked.isEmpty() ? Optional.of(DEFAULT_EVENTS_HEARTBEAT) : heartbeatIn(asked.get());
        if (heartbeat.isEmpty()) {
            return badHeartbeat(asked.orElse(""));
        }
        var first = "retry: " + RETRY_MILLIS + "\n" + announcements.opening(view, request.header("last-event-id"));
        return new ElectorStream(view.name(), ElectorStream.Dialect.EVENTS, first, heartbeat);
    }

    /** Weak: a confirmation changes {@code lastUpdate} in the body, but not who leads. */
    private static String entityTag(ElectionView view) {
        int who = view.leader().hashCode();
        return "W/\"" + view.lastTerm() + "-" + view.since().toEpochMilli() + "-" + Integer.toHexString(who) + "\"";
    }

    private static ElectorResponse fenced(ElectorResponse response, Optional<Leader> leader) {
        return leader.map(known -> response.with("X-Fencing-Token", Long.toString(known.term())))
                .orElse(response);
    }

    private static Optional<Duration> heartbeatIn(String text) {
        var matcher = SECONDS.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var heartbeat = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
        boolean inBounds = heartbeat.compareTo(MIN_HEARTBEAT) >= 0 && heartbeat.compareTo(MAX_HEARTBEAT) <= 0;
        return inBounds ? Optional.of(heartbeat) : Optional.empty();
    }

    private static ElectorResponse badHeartbeat(String text) {
        return ElectorResponse.problem(
                400,
                "Bad Request",
                "heartbeat (" + shortened(text) + ") must be whole seconds from " + MIN_HEARTBEAT.toSeconds() + "s to "
                        + MAX_HEARTBEAT.toSeconds() + "s, like 15s");
    }

    private static String shortened(String text) {
        return text.length() <= MAX_ECHOED_LENGTH ? text : text.substring(0, MAX_ECHOED_LENGTH) + "...";
    }
}
