package dev.doyen.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.doyen.architecture.planted.alpha.Alpha;
import dev.doyen.architecture.planted.machine.FaultyMachine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may call whom, and what a machine may not touch. Each rule is also run on a planted fault, and must see it. */
class HouseRulesTest {

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.doyen");

    private static final JavaClasses PLANTED =
            new ClassFileImporter().importPackages("dev.doyen.architecture.planted");

    private static final String[] MACHINES = {
        "dev.doyen.event..", "dev.doyen.lease..", "dev.doyen.hub..", "dev.doyen.elector..", "..planted.machine.."
    };

    /** The rules, by name. */
    enum Rule {
        MACHINES_USE_NO_CLOCK(noClasses()
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
                .because("time comes to a machine with its input")),

        MACHINES_USE_NO_THREADS(noClasses()
                .that()
                .resideInAnyPackage(MACHINES)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .because("a machine is called by one thread at a time, and starts none")),

        MACHINES_DO_NO_IO(noClasses()
                .that()
                .resideInAnyPackage(MACHINES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..", "io.netty..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.(File|Print|RandomAccess).*")
                .because("a machine says what is to be done; a driver does it")),

        MACHINES_USE_NO_RANDOMNESS(noClasses()
                .that()
                .resideInAnyPackage(MACHINES)
                .should()
                .dependOnClassesThat()
                .areAssignableTo(java.util.random.RandomGenerator.class)
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .orShould()
                .callMethod(Math.class, "random")
                .because("randomness comes to a machine as a number")),

        MACHINES_DO_NOT_LOG(noClasses()
                .that()
                .resideInAnyPackage(MACHINES)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.System\\$Logger.*|java\\.util\\.logging\\..*|org\\.slf4j\\..*")
                .because("what a machine has to say is an effect")),

        NO_PACKAGE_CYCLES(slices().matching("dev.doyen.(**)").should().beFreeOfCycles()),

        CORE_DEPENDS_ON_NOTHING(classes()
                .that()
                .resideInAnyPackage(
                        "dev.doyen", "dev.doyen.event", "dev.doyen.lease", "dev.doyen.store", "dev.doyen.driver",
                        "..planted.core..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..", "org.jspecify..", "dev.doyen", "dev.doyen.event", "dev.doyen.lease",
                        "dev.doyen.store", "dev.doyen.driver")),

        NAMES_SAY_WHAT_IT_IS(noClasses()
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl)")
                .orShould()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..helpers.."));

        private final ArchRule rule;

        Rule(ArchRule rule) {
            this.rule = rule;
        }
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    @DisplayName("the house keeps")
    void the_house_keeps(Rule each) {
        assertThatCode(() -> each.rule.check(HOUSE)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    @DisplayName("a planted fault breaks")
    void a_planted_fault_breaks(Rule each) {
        assertThatThrownBy(() -> each.rule.check(PLANTED)).isInstanceOf(AssertionError.class);
    }

    /** Keeps the planted packages reachable from here, so that nobody takes them for dead code. */
    static final Class<?>[] PLANTS = {FaultyMachine.class, Alpha.class};
}
