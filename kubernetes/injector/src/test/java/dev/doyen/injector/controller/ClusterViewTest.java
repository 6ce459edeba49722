package dev.doyen.injector.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Yamls;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private final ClusterView view = new ClusterView();

    @Test
    void an_account_is_bound_once_for_all_its_pods() {
        view.podsAre(List.of(pod("a", ""), pod("b", ""), pod("c", "spec: {serviceAccountName: clerk}")));
        assertThat(view.unbound()).containsExactly(new Account("shop", "default"), new Account("shop", "clerk"));

        view.bound(new Account("shop", "default"));
        assertThat(view.unbound()).containsExactly(new Account("shop", "clerk"));

        view.bindingsAre(List.of(object("elector-clerk-68f59322", "")));
        assertThat(view.unbound())
                .as("an account whose binding was deleted is unbound")
                .containsExactly(new Account("shop", "default"));
    }

    @Test
    void a_completed_pod_needs_no_role_binding() {
        view.podsAre(List.of(pod("a", "status: {phase: Succeeded}")));
        assertThat(view.unbound()).isEmpty();
        view.leasesAre("shop", List.of(lease("orders", "a")));
        assertThat(view.moves()).isEmpty();
    }

    @Test
    void the_pod_of_the_holder_is_labelled_after_the_others_are_cleared() {
        view.podsAre(List.of(labelled("a"), pod("b", ""), labelled("c")));
        view.leasesAre("shop", List.of(lease("orders", "b"), lease("other", "a")));
        assertThat(view.moves()).containsExactly(new LeaderMove("shop", "orders", List.of("a", "c"), Optional.of("b")));
    }

    @Test
    void no_label_changes_before_the_leases_were_read() {
        view.podsAre(List.of(labelled("a")));
        assertThat(view.moves()).isEmpty();
    }

    @Test
    void no_label_changes_for_leases_that_are_no_longer_watched() {
        view.podsAre(List.of(pod("a", "")));
        view.leasesAre("shop", List.of(lease("orders", "a")));
        view.leasesUnknown("shop");
        view.leaseChanged("shop", "MODIFIED", lease("orders", "a"));
        assertThat(view.moves()).isEmpty();
    }

    @Test
    void a_released_or_deleted_lease_clears_the_label() {
        view.podsAre(List.of(labelled("a")));
        view.leasesAre("shop", List.of(lease("orders", "a")));
        assertThat(view.moves()).isEmpty();

        view.leaseChanged("shop", "MODIFIED", lease("orders", ""));
        assertThat(view.moves()).containsExactly(new LeaderMove("shop", "orders", List.of("a"), Optional.empty()));

        view.leaseChanged("shop", "MODIFIED", lease("orders", "a"));
        view.leaseChanged("shop", "DELETED", lease("orders", "a"));
        assertThat(view.moves()).containsExactly(new LeaderMove("shop", "orders", List.of("a"), Optional.empty()));
    }

    @Test
    void elections_with_one_name_in_two_namespaces_are_different() {
        view.podsAre(List.of(pod("a", ""), in("stock", pod("b", ""))));
        view.leasesAre("shop", List.of(lease("orders", "a")));
        view.leasesAre("stock", List.of(lease("orders", "b")));
        assertThat(view.moves())
                .containsExactly(
                        new LeaderMove("shop", "orders", List.of(), Optional.of("a")),
                        new LeaderMove("stock", "orders", List.of(), Optional.of("b")));
    }

    @Test
    void a_pod_that_opted_out_gets_no_label() {
        view.podsAre(List.of(object(
                "a",
                "  annotations: {elector.doyen.dev/election: orders, elector.doyen.dev/leader-label: 'false'}\n")));
        view.leasesAre("shop", List.of(lease("orders", "a")));
        assertThat(view.moves()).isEmpty();
    }

    @Test
    void a_deleted_pod_is_removed() {
        view.podsAre(List.of(pod("a", "")));
        view.podChanged("DELETED", pod("a", ""));
        assertThat(view.namespaces()).isEmpty();
        assertThat(view.unbound()).isEmpty();
    }

    private static JsonNode labelled(String name) {
        return object(
                name,
                "  annotations: {elector.doyen.dev/election: orders}\n  labels: {elector.doyen.dev/leader: 'true'}\n");
    }

    private static JsonNode pod(String name, String more) {
        return object(name, "  annotations: {elector.doyen.dev/election: orders}\n" + more);
    }

    private static JsonNode in(String namespace, JsonNode object) {
        ((ObjectNode) object.path("metadata")).put("namespace", namespace);
        return object;
    }

    private static JsonNode lease(String name, String holder) {
        return object(name, "spec: {holderIdentity: '" + holder + "'}");
    }

    private static JsonNode object(String name, String more) {
        return Yamls.parse("metadata:\n  namespace: shop\n  name: " + name + "\n" + more)
                .get(0);
    }
}
