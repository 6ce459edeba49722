package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

class FakeElectionExtensionTest {

    @Nested
    @ExtendWith(FakeElectionExtension.class)
    class By_parameter {

        private static Election last;

        private Election before;

        @BeforeEach
        void join(@FakeElection.Named("orders") Election orders) {
            before = orders;
            last = orders;
        }

        @Test
        void a_test_gets_the_same_election_as_its_setup(@FakeElection.Named("orders") FakeElection orders) {
            assertThat(orders.election()).isSameAs(before);
            assertThat(before.name()).isEqualTo("orders");
        }

        @Test
        void several_elections_are_distinguished_by_their_names(
                @FakeElection.Named("orders") FakeElection orders,
                @FakeElection.Named("billing") FakeElection billing) {
            LeaseCandidate candidate = billing.election().join("n1");
            orders.election().join("n1");
            orders.grant();
            assertThat(candidate.isLeader()).isFalse();
            assertThat(billing.election().name()).isEqualTo("billing");
        }

        @Test
        void without_a_name_the_test_has_one_election(FakeElection fake, Election election) {
            assertThat(fake.election()).isSameAs(election);
        }

        @AfterAll
        static void they_are_closed_after_the_test() {
            assertThatThrownBy(() -> last.join("n1")).hasMessage("election \"orders\" is closed");
        }
    }

    @Nested
    class By_field {

        @RegisterExtension
        final FakeElectionExtension orders = FakeElectionExtension.named("orders");

        @Test
        void the_field_has_the_tests_election(FakeElection fake) {
            assertThat(orders.fake()).isSameAs(fake);
            assertThat(fake.election().name()).isEqualTo("orders");
        }

        @Test
        void each_test_has_a_new_election() {
            orders.fake().election().join("n1");
            orders.fake().grant();
            assertThat(orders.fake()
                            .leader()
                            .orElseThrow()
                            .leadership()
                            .orElseThrow()
                            .term())
                    .isEqualTo(2);
        }
    }

    @Test
    void without_a_running_test_no_election_exists() {
        assertThatThrownBy(() -> FakeElectionExtension.named("orders").fake())
                .hasMessageStartingWith("no test is running");
    }
}
