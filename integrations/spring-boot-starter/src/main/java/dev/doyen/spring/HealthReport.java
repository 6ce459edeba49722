package dev.doyen.spring;

import dev.doyen.event.Explanation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The health of the elections' store or elector. A change of the leader does not affect the health.
 *
 * <p>This class uses no class of Spring Boot, because the health classes of Spring Boot 3 and 4 have different
 * packages.
 *
 * @param isDown true if the store or elector has not answered for too long
 */
record HealthReport(boolean isDown, Map<String, Object> details) {

    /** @param limit how long the store or the elector may be unavailable before the report is DOWN */
    static HealthReport of(LeaderElections elections, Optional<Duration> silentFor, Duration limit) {
        Map<String, Object> details = new LinkedHashMap<>();
        silentFor.ifPresent(time -> details.put("silentForMillis", time.toMillis()));
        details.put(
                "leading",
                elections.names().stream().filter(elections::isLeader).toList());
        Map<String, String> notJoined = new TreeMap<>();
        for (String name : elections.names()) {
            elections.notJoined(name).map(Explanation::sentence).ifPresent(why -> notJoined.put(name, why));
        }
        if (!notJoined.isEmpty()) {
            details.put("notJoined", notJoined);
        }
        return new HealthReport(
                silentFor.filter(time -> time.compareTo(limit) > 0).isPresent(), details);
    }
}
