package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.event.Leader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Adds the leaders of all elections to {@code /actuator/info}, under {@code leadership}. */
final class LeadershipInfo implements InfoContributor {

    private final LeaderElections elections;

    LeadershipInfo(LeaderElections elections) {
        this.elections = elections;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        elections.names().forEach(name -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("leading", elections.isLeader(name));
            Leader leader = elections.candidate(name).flatMap(Candidate::leader).orElse(null);
            if (leader != null) {
                one.put("leader", leader.id());
                one.put("term", leader.term());
            }
            all.put(name, one);
        });
        builder.withDetail("leadership", all);
    }
}
