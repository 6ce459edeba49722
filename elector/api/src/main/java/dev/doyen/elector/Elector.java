package dev.doyen.elector;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers the elector API: {@code /}, {@code /sse}, {@code /isLeader} and {@code /v1}.
 *
 * <p>{@code /} never fails and always contains all fields, for any path or method, because many clients treat an error
 * as "you lead". An unknown leader has the empty name, which no candidate has.
 *
 * <p>Threads: one at a time. It reads no clock.
 */
public final class Elector {

    static final Duration MIN_HEARTBEAT = Duration.ofSeconds(1);
    static final Duration MAX_HEARTBEAT = Duration.ofMinutes(5);
    static final Duration DEFAULT_EVENTS_HEARTBEAT = Duration.ofSeconds(15);
    static final int RETRY_MILLIS = 2_000;

    /** The longest part of a name from a request that an error message repeats. */
    static final int MAX_ECHOED_LENGTH = 100;

    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,4})s");

    private final Elections elections;
    private final ElectorSettings settings;
    private final Announcements announcements;
    private final VersionOne versionOne;

    public Elector(Elections elections, ElectorSettings settings) {
        this(elections, settings, Admins.NOBODY);
    }

    public Elector(Elections elections, ElectorSettings settings, Admins admins) {
        this.elections = elections;
        this.settings = settings;
        this.announcements = new Announcements(settings);
        this.versionOne = new VersionOne(elections, settings, announcements, admins);
    }

    /**
     * Answers one request.
     *
     * @param now the time to show if the election was never confirmed
     */
    public ElectorAnswer answer(ElectorRequest request, Instant now) {
        var path = request.path();
        if (path.equals("/v1") || path.startsWith("/v1/")) {
            return versionOne.answer(request);
        }
        return switch (path) {
            case "/sse" -> plainStream(request, now);
            case "/isLeader" -> isLeader(request, now);
            default -> leaderName(200, defaultElection(now));
        };
    }

    /** The answer of {@code /} after an internal fault. */
    public static ElectorResponse unknownLeader(Instant now) {
        return ElectorResponse.json(200, ElectionJson.leaderName("", now));
    }

    /** Processes a change; returns what to write to each stream, or empty if the streams already received it. */
    public Optional<Announcement> changed(ElectionView view) {
        return announcements.add(view);
    }

    private ElectionView defaultElection(Instant now) {
        return elections
                .find(settings.defaultElection())
                .orElseGet(() -> new ElectionView(settings.defaultElection(), Optional.empty(), 0, now, now));
    }

    private static ElectorResponse leaderName(int status, ElectionView view) {
        return VersionOne.fenced(
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

    static Optional<Duration> heartbeatIn(String text) {
        var matcher = SECONDS.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var heartbeat = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
        boolean inBounds = heartbeat.compareTo(MIN_HEARTBEAT) >= 0 && heartbeat.compareTo(MAX_HEARTBEAT) <= 0;
        return inBounds ? Optional.of(heartbeat) : Optional.empty();
    }

    static ElectorResponse badHeartbeat(String text) {
        return ElectorResponse.problem(
                400,
                "Bad Request",
                "heartbeat (" + shortened(text) + ") must be whole seconds from " + MIN_HEARTBEAT.toSeconds() + "s to "
                        + MAX_HEARTBEAT.toSeconds() + "s, like 15s");
    }

    static String shortened(String text) {
        return text.length() <= MAX_ECHOED_LENGTH ? text : text.substring(0, MAX_ECHOED_LENGTH) + "...";
    }
}
