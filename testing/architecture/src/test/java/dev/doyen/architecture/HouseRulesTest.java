package dev.doyen.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.doyen.architecture.planted.alpha.Alpha;
import dev.doyen.architecture.planted.machine.FaultyMachine;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the dependencies between packages, the names of classes, and forbidden calls.
 *
 * <p>The test also runs each rule on planted classes, which break the rules on purpose. Each rule must report a
 * violation in these classes.
 */
class HouseRulesTest {

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.doyen");

    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages("dev.doyen.architecture.planted");

    private static final String[] CORE = {
        "dev.doyen",
        "dev.doyen.candidate",
        "dev.doyen.driver",
        "dev.doyen.election",
        "dev.doyen.event",
        "dev.doyen.fence",
        "dev.doyen.health",
        "dev.doyen.lease",
        "dev.doyen.log",
        "dev.doyen.metrics",
        "dev.doyen.store",
        "dev.doyen.store.probe",
        "dev.doyen.store.support",
        "dev.doyen.stores.local",
        "dev.doyen.text"
    };

    private static final String[] RING = {
        "dev.doyen.group",
        "dev.doyen.group.driver",
        "dev.doyen.group.settings",
        "dev.doyen.membership",
        "dev.doyen.ring"
    };

    private static final String[] MACHINES = {
        "dev.doyen.event..",
        "dev.doyen.lease..",
        "dev.doyen.health..",
        "dev.doyen.ring..",
        "dev.doyen.group.settings",
        "dev.doyen.client.state",
        "dev.doyen.hub",
        "dev.doyen.hub.auth",
        "dev.doyen.hub.channel",
        "dev.doyen.hub.claim",
        "dev.doyen.hub.connection",
        "dev.doyen.hub.content",
        "dev.doyen.hub.history",
        "dev.doyen.hub.log",
        "dev.doyen.hub.nodes",
        "dev.doyen.hub.presence",
        "dev.doyen.hub.publish",
        "dev.doyen.hub.ratelimit",
        "dev.doyen.hub.request",
        "dev.doyen.hub.rest",
        "dev.doyen.hub.settings",
        "dev.doyen.hub.step",
        "dev.doyen.hub.wire",
        "dev.doyen.elector",
        "dev.doyen.elector.text",
        "dev.doyen.elector.metrics",
        "dev.doyen.image",
        "dev.doyen.injector",
        "dev.doyen.injector.certificate",
        "dev.doyen.injector.controller",
        "dev.doyen.sidecar",
        "dev.doyen.cli.run",
        "dev.doyen.cli.operator",
        "dev.doyen.cli.doctor",
        "dev.doyen.demo.ring",
        "dev.doyen.demo.quorum",
        "..planted.machine.."
    };

    private static final ArchCondition<JavaCodeUnit> HANDLE_A_FAILED_LISTING =
            new ArchCondition<>("catch DirectoryIteratorException if they call Files.newDirectoryStream") {
                @Override
                public void check(JavaCodeUnit unit, ConditionEvents events) {
                    boolean lists = unit.getMethodCallsFromSelf().stream()
                            .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Files.class)
                                    && call.getName().equals("newDirectoryStream"));
                    boolean handles = unit.getTryCatchBlocks().stream()
                            .flatMap(block -> block.getCaughtThrowables().stream())
                            .anyMatch(thrown -> thrown.isEquivalentTo(DirectoryIteratorException.class));
                    if (lists && !handles) {
                        events.add(SimpleConditionEvent.violated(
                                unit, unit.getFullName() + " does not catch DirectoryIteratorException"));
                    }
                }
            };

    static Stream<Arguments> rules() {
        return Stream.of(
                arguments(
                        "machines use no clock",
                        noClasses()
                                .that()
                                .resideInAnyPackage(MACHINES)
                                .should()
                                .callMethod(System.class, "nanoTime")
                                .orShould()
                                .callMethod(System.class, "currentTimeMillis")
                                .orShould()
                                .callMethod(java.time.Instant.class, "now")
                                .orShould()
                                .dependOnClassesThat()
                                .areAssignableTo(java.time.Clock.class)
                                .because("a machine gets the time with its input")),
                arguments(
                        "a quorum reads no wall clock",
                        noClasses()
                                .that()
                                .resideInAnyPackage("dev.doyen.stores.quorum", "..planted.machine..")
                                .should()
                                .callMethod(System.class, "currentTimeMillis")
                                .orShould()
                                .callMethod(java.time.Instant.class, "now")
                                .orShould()
                                .callMethod(java.time.Clock.class, "systemUTC")
                                .because("a jump of the wall clock must not begin or end a leadership")),
                arguments(
                        "machines use no threads",
                        noClasses()
                                .that()
                                .resideInAnyPackage(MACHINES)
                                .should()
                                .dependOnClassesThat()
                                .resideInAPackage("java.util.concurrent..")
                                .orShould()
                                .dependOnClassesThat()
                                .areAssignableTo(Thread.class)
                                .because("a machine is called by one thread at a time, and starts none")),
                arguments(
                        "machines do no io",
                        noClasses()
                                .that()
                                .resideInAnyPackage(MACHINES)
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(
                                        "java.net..", "java.nio.file..", "java.nio.channels..", "io.netty..")
                                .orShould()
                                .dependOnClassesThat()
                                .haveNameMatching("java\\.io\\.(File|Print|RandomAccess).*")
                                .because("a machine returns effects, and a driver carries them out")),
                arguments(
                        "machines use no randomness",
                        noClasses()
                                .that()
                                .resideInAnyPackage(MACHINES)
                                .should()
                                .dependOnClassesThat()
                                .areAssignableTo(java.util.random.RandomGenerator.class)
                                .orShould()
                                .callMethod(java.util.UUID.class, "randomUUID")
                                .orShould()
                                .callMethod(Math.class, "random")
                                .because("a machine gets random numbers with its input")),
                arguments(
                        "machines do not log",
                        noClasses()
                                .that()
                                .resideInAnyPackage(MACHINES)
                                .should()
                                .dependOnClassesThat()
                                .haveNameMatching(
                                        "java\\.lang\\.System\\$Logger.*|java\\.util\\.logging\\..*|org\\.slf4j\\..*")
                                .because("a machine reports by its effects")),
                arguments(
                        "no package cycles",
                        slices().matching("dev.doyen.(**)").should().beFreeOfCycles()),
                arguments(
                        "core depends on nothing",
                        classes()
                                .that()
                                .resideInAnyPackage(CORE)
                                .or()
                                .resideInAPackage("..planted.core..")
                                .should()
                                .onlyDependOnClassesThat(
                                        resideInAnyPackage("java..", "javax.crypto..", "org.jspecify..")
                                                .or(resideInAnyPackage(CORE)))),
                arguments(
                        "the ring depends on core alone",
                        classes()
                                .that()
                                .resideInAnyPackage(RING)
                                .or()
                                .resideInAPackage("..planted.core..")
                                .should()
                                .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..")
                                        .or(resideInAnyPackage(CORE))
                                        .or(resideInAnyPackage(RING)))),
                arguments(
                        "the client depends on nothing",
                        classes()
                                .that()
                                .resideInAnyPackage("dev.doyen.client..", "..planted.core..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage("java..", "org.jspecify..", "dev.doyen.client..")),
                arguments(
                        "no method is unsupported",
                        noClasses()
                                .that()
                                .resideOutsideOfPackage("dev.doyen.benchmarks..")
                                .should()
                                .callConstructorWhere(target(owner(assignableTo(UnsupportedOperationException.class))))
                                .because("a type must support all its methods")),
                arguments(
                        "a failed listing is no surprise",
                        codeUnits()
                                .should(HANDLE_A_FAILED_LISTING)
                                .because("a listing that fails after its begin throws no IOException")),
                arguments(
                        "names are specific",
                        noClasses()
                                .should()
                                .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl)")
                                .orShould()
                                .resideInAnyPackage("..util..", "..utils..", "..common..", "..helpers..")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void all_rules_hold(String name, ArchRule rule) {
        assertThatCode(() -> rule.check(HOUSE)).as(name).doesNotThrowAnyException();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void a_planted_fault_is_found(String name, ArchRule rule) {
        assertThatThrownBy(() -> rule.check(PLANTED)).as(name).isInstanceOf(AssertionError.class);
    }

    /** References to planted classes. Without a reference, such a class would look like dead code. */
    static final Class<?>[] PLANTS = {FaultyMachine.class, Alpha.class};
}
