package dev.doyen.spring;

import dev.doyen.client.Elector;
import dev.doyen.election.JoinableElection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A source of elections that an elector beside this application decides. */
final class ElectorElectionSource implements ElectionSource {

    private final ElectorSettings settings;
    private final @Nullable String url;
    private final Map<String, String> variables;
    private final @Nullable String candidateId;
    private final String where;
    private final List<ElectorElection> opened = new CopyOnWriteArrayList<>();

    /**
     * @param url the elector's URL; null if {@code variables} contain the address of the elector
     * @param candidateId the elector's name for this application; null for the host's name
     * @param where the name of the elector's settings, for error messages
     */
    ElectorElectionSource(
            ElectorSettings settings,
            @Nullable String url,
            Map<String, String> variables,
            @Nullable String candidateId,
            String where) {
        this.settings = settings;
        this.url = url;
        this.variables = variables;
        this.candidateId = candidateId;
        this.where = where;
    }

    @Override
    public JoinableElection open(String name, ElectionSettings election) {
        if (!election.withoutStart().equals(ElectionSettings.DEFAULT)) {
            throw new DoyenRefusedException("doyen.elections." + name + " has settings of a lease, and " + where
                    + " names an elector, which has its own settings; remove all but auto-start");
        }
        var one = new ElectorElection(name, elector(name), where);
        opened.add(one);
        return one;
    }

    @Override
    public Optional<Duration> silentFor() {
        return opened.stream().flatMap(each -> each.silentFor().stream()).max(Duration::compareTo);
    }

    @Override
    public void close() {
        opened.forEach(ElectorElection::close);
        opened.clear();
    }

    private Elector elector(String name) {
        return Refusals.under(where, () -> {
            Elector.Builder builder = builder(name).maxAge(settings.maxAge()).timeout(settings.timeout());
            return (candidateId == null ? builder : builder.name(candidateId)).build();
        });
    }

    private Elector.Builder builder(String name) {
        if (url != null) {
            return settings.api() == ElectorSettings.Api.NAIS ? Elector.at(url) : Elector.at(url, name);
        }
        if (settings.api() != ElectorSettings.Api.V1) {
            return Elector.builderFrom(variables);
        }
        String get = variables.get("ELECTOR_GET_URL");
        if (get == null) {
            throw new DoyenRefusedException(
                    "doyen.elector.api is v1, and ELECTOR_GET_URL is not set; set doyen.elector.url");
        }
        return Elector.at(get, name);
    }
}
