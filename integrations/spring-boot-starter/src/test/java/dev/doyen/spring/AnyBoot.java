package dev.doyen.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Calls classes that have another package in Spring Boot 3 than in Spring Boot 4. */
final class AnyBoot {

    private static final String HEALTH = ClassUtils.isPresent("org.springframework.boot.actuate.health.Health", null)
            ? "org.springframework.boot.actuate.health."
            : "org.springframework.boot.health.contributor.";

    private AnyBoot() {}

    /** Returns a health indicator whose status is UP while the supplier returns true. */
    static Object indicator(BooleanSupplier isUp) {
        Class<?> type = ClassUtils.resolveClassName(HEALTH + "HealthIndicator", null);
        Class<?> health = ClassUtils.resolveClassName(HEALTH + "Health", null);
        return Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "health" -> call(invoke(health, null, isUp.getAsBoolean() ? "up" : "down"), "build");
                    case "hashCode" -> 0;
                    case "equals" -> proxy == arguments[0];
                    default -> "an indicator of the test";
                });
    }

    /** Returns the status of a health indicator, such as UP. */
    static String status(Object indicator) {
        return String.valueOf(call(health(indicator), "getStatus"));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> details(Object indicator) {
        return (Map<String, Object>) call(health(indicator), "getDetails");
    }

    private static Object health(Object indicator) {
        return invoke(ClassUtils.resolveClassName(HEALTH + "HealthIndicator", null), indicator, "health");
    }

    private static Object call(Object target, String name) {
        return invoke(target.getClass(), target, name);
    }

    private static Object invoke(Class<?> type, Object target, String name) {
        Method method = ClassUtils.getMethod(type, name);
        return ReflectionUtils.invokeMethod(method, target);
    }
}
