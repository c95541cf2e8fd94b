# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# How an AscendC operator becomes CPU libraries. The folders below vendors/ are those of a CANN op package.
#
#   ascendc_cpu_add_package(<vendor>)  once: the three libraries that all operators of the package share
#   ascendc_cpu_add_operator(<op> <OpType> [folders])  in the operator's folder, with op_host/, op_kernel/ and perhaps
#                                      op_api/; folders: op_kernel/ of operators whose kernel headers it includes

set(ASCENDC_CPU_KERNEL_OPTIMIZE "2" CACHE STRING "Optimisation level of kernel objects, 0 to 3")
set(ASCENDC_CPU_ROOT "${CMAKE_SOURCE_DIR}/ascendc_cpu")
set(ASCENDC_CPU_LIBRARY_FOLDER "${CMAKE_BINARY_DIR}/lib")
set(ASCENDC_CPU_INSTALL_LIBRARIES "ascendc_cpu/lib")           # below site-packages
set(ASCENDC_CPU_INSTALL_PACKAGE "ascend_flash_attention")      # holds vendors/ there
set(ASCENDC_CPU_VENDOR_LIBRARIES "ascendc_cpu/lib")            # below the vendor's folder, in an op package
set(ASCENDC_CPU_TOOL ${CMAKE_COMMAND} -E env
    "PYTHONPATH=${ASCENDC_CPU_ROOT}/python" PYTHONDONTWRITEBYTECODE=1
    "ASCENDC_CPU_LIB_DIR=${ASCENDC_CPU_LIBRARY_FOLDER}" ${Python_EXECUTABLE} -m)
file(GLOB ASCENDC_CPU_TOOL_SOURCES CONFIGURE_DEPENDS "${ASCENDC_CPU_ROOT}/python/ascendc_cpu/*.py")

# A part of the tree without sources is an error, never a library less.
function(ascendc_cpu_require_sources where)
    if(NOT ARGN)
        message(FATAL_ERROR "no sources in ${where} below ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
endfunction()

# Export only what the version script names.
function(ascendc_cpu_export target map)
    target_link_options(${target} PRIVATE "LINKER:--version-script=${map}" "LINKER:-z,defs")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()

# Where a library of the folder `destination` (below site-packages) finds libascendc_cpu.so: in an op package, which
# brings its own copy, or beside the Python package.
function(ascendc_cpu_rpath result destination)
    file(RELATIVE_PATH libraries "/${destination}" "/${ASCENDC_CPU_INSTALL_LIBRARIES}")
    set(rpath "$ORIGIN/${libraries}")
    if(ASCENDC_CPU_PACKAGE_TREE)
        set(vendor "${ASCENDC_CPU_INSTALL_PACKAGE}/${ASCENDC_CPU_PACKAGE_TREE}")
        cmake_path(IS_PREFIX vendor "${destination}" inside)
        if(inside)
            file(RELATIVE_PATH own "/${destination}" "/${vendor}/${ASCENDC_CPU_VENDOR_LIBRARIES}")
            list(PREPEND rpath "$ORIGIN/${own}")
        endif()
    endif()
    set(${result} "${rpath}" PARENT_SCOPE)
endfunction()

# Build into `folder`; install into `destination` (below site-packages).
function(ascendc_cpu_place target folder destination)
    ascendc_cpu_rpath(rpath "${destination}")
    foreach(other IN LISTS ARGN) # folders of further libraries, below site-packages
        file(RELATIVE_PATH relative "/${destination}" "/${other}")
        list(APPEND rpath "$ORIGIN/${relative}")
    endforeach()
    set_target_properties(${target} PROPERTIES
        LIBRARY_OUTPUT_DIRECTORY "${folder}"
        INSTALL_RPATH "${rpath}")
    install(TARGETS ${target} LIBRARY DESTINATION "${destination}")
endfunction()

function(ascendc_cpu_add_package vendor)
    set(tree "vendors/${vendor}")
    set(ASCENDC_CPU_PACKAGE_TREE "${tree}")
    set(machine "lib/linux/${CMAKE_SYSTEM_PROCESSOR}")
    set(folder_cust_opapi "${tree}/op_api/lib")
    set(folder_cust_opmaster_rt2.0 "${tree}/op_impl/ai_core/tbe/op_tiling/${machine}")
    set(folder_cust_opsproto_rt2.0 "${tree}/op_proto/${machine}")
    foreach(library cust_opapi cust_opmaster_rt2.0 cust_opsproto_rt2.0)
        add_library(${library} SHARED)
        target_link_libraries(${library} PRIVATE fa_warnings ascendc_cpu)
        target_link_options(${library} PRIVATE "LINKER:-z,defs")
        set(folder "${folder_${library}}")
        ascendc_cpu_place(${library} "${CMAKE_BINARY_DIR}/${folder}" "${ASCENDC_CPU_INSTALL_PACKAGE}/${folder}")
    endforeach()
    # CANN's templates compile op_host as C++11.
    set_target_properties(cust_opmaster_rt2.0 cust_opsproto_rt2.0 PROPERTIES CXX_STANDARD 11)
    target_compile_definitions(cust_opmaster_rt2.0 PRIVATE OP_TILING_LIB)
    target_compile_definitions(cust_opsproto_rt2.0 PRIVATE OP_PROTO_LIB)
    set_target_properties(cust_opapi PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON) # as CANN's
    # With it ASCEND_OPP_PATH=<folder of vendors/> finds the package as a CANN installation would.
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/vendors/config.ini" CONTENT "load_priority=${vendor}\n")
    install(FILES "${CMAKE_BINARY_DIR}/vendors/config.ini" DESTINATION "${ASCENDC_CPU_INSTALL_PACKAGE}/vendors")
    set(ASCENDC_CPU_PACKAGE_TREE "${tree}" PARENT_SCOPE)
endfunction()

# Definition -> inner aclnn, tiling and inference into the package's libraries; kernel objects into one library.
function(ascendc_cpu_add_operator op opType)
    set(autogen "${CMAKE_CURRENT_BINARY_DIR}/autogen")

    add_library(${op}_def SHARED "op_host/${op}_def.cpp")
    set_target_properties(${op}_def PROPERTIES CXX_STANDARD 11 LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(${op}_def PRIVATE fa_warnings ascendc_cpu)

    set(opdefs "${autogen}/opdefs.json")
    set(innerAclnn "${autogen}/aclnnInner_${op}.cpp" "${autogen}/aclnnInner_${op}.h")
    add_custom_command(
        OUTPUT ${innerAclnn} "${opdefs}"
        COMMAND ${ASCENDC_CPU_TOOL} ascendc_cpu.op_build
            --definition "$<TARGET_FILE:${op}_def>" --out "${autogen}" --prefix Inner
        DEPENDS ${op}_def ${ASCENDC_CPU_TOOL_SOURCES}
        COMMENT "Generating the inner aclnn of ${op}"
        VERBATIM)
    add_custom_target(${op}_aclnn DEPENDS ${innerAclnn})
    add_dependencies(cust_opapi ${op}_aclnn)
    file(GLOB apiSources CONFIGURE_DEPENDS op_api/*.cpp)
    target_sources(cust_opapi PRIVATE ${innerAclnn} ${apiSources})
    target_include_directories(cust_opapi PRIVATE "${autogen}" op_api)
    ascendc_cpu_add_aclnn_headers()

    ascendc_cpu_add_op_host()
    ascendc_cpu_add_op_kernel(${op} ${opType} "${opdefs}" ${ARGN})
endfunction()

# Headers for the package's users, where ops-transformer's packages have them.
function(ascendc_cpu_add_aclnn_headers)
    file(GLOB headers CONFIGURE_DEPENDS op_api/aclnn_*.h)
    set(folder "${ASCENDC_CPU_PACKAGE_TREE}/op_api/include/aclnnop")
    foreach(header IN LISTS headers)
        get_filename_component(name "${header}" NAME)
        configure_file("${header}" "${CMAKE_BINARY_DIR}/${folder}/${name}" COPYONLY)
        install(FILES "${header}" DESTINATION "${ASCENDC_CPU_INSTALL_PACKAGE}/${folder}")
    endforeach()
endfunction()

# Tiling with everything that it needs; inference stands alone.
function(ascendc_cpu_add_op_host)
    file(GLOB tilingSources CONFIGURE_DEPENDS op_host/*.cpp op_host/tiling_strategies/*.cpp)
    ascendc_cpu_require_sources("op_host" ${tilingSources})
    list(FILTER tilingSources EXCLUDE REGEX "_def\\.cpp$")
    set(inferSources ${tilingSources})
    list(FILTER tilingSources EXCLUDE REGEX "_infershape\\.cpp$")
    list(FILTER inferSources INCLUDE REGEX "_infershape\\.cpp$")
    target_sources(cust_opmaster_rt2.0 PRIVATE ${tilingSources})
    target_sources(cust_opsproto_rt2.0 PRIVATE ${inferSources})
    foreach(library cust_opmaster_rt2.0 cust_opsproto_rt2.0)
        target_include_directories(${library} PRIVATE op_host op_kernel)
    endforeach()
endfunction()

# Which kernel objects exist follows from the compiled definition, so they have a ninja of their own, kernel_ninja.py.
function(ascendc_cpu_add_op_kernel op opType opdefs)
    set(kernels "${CMAKE_CURRENT_BINARY_DIR}/kernels")
    set(folder "${ASCENDC_CPU_PACKAGE_TREE}/op_impl/ai_core/tbe/kernel/cpu/${op}")
    set(library "${CMAKE_BINARY_DIR}/${folder}/lib${op}_kernels.so")
    ascendc_cpu_rpath(rpath "${ASCENDC_CPU_INSTALL_PACKAGE}/${folder}")
    list(JOIN rpath ":" rpath)
    set(flags -std=c++17 "-O${ASCENDC_CPU_KERNEL_OPTIMIZE}" -fPIC -fvisibility=hidden -ffp-contract=off
        ${FA_WARNINGS} -Wno-unused-parameter # an entry has a parameter for each tensor of the definition
        "-I${ASCENDC_CPU_ROOT}/include/kernel" "-I${ASCENDC_CPU_ROOT}/include/mode/fast"
        "-I${CMAKE_CURRENT_SOURCE_DIR}/op_kernel")
    foreach(shared IN LISTS ARGN)
        list(APPEND flags "-I${shared}")
    endforeach()
    set(link "-L${ASCENDC_CPU_LIBRARY_FOLDER}" -lascendc_cpu "-Wl,-z,defs" "-Wl,-rpath,${rpath}")
    set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
    list(TRANSFORM launcher PREPEND "--launcher=")
    list(TRANSFORM flags PREPEND "--flag=")
    list(TRANSFORM link PREPEND "--link=")
    file(GLOB kernelSources CONFIGURE_DEPENDS op_kernel/*.cpp op_kernel/*.h)
    add_custom_command(
        OUTPUT "${kernels}/build.ninja"
        COMMAND ${Python_EXECUTABLE} "${CMAKE_SOURCE_DIR}/cmake/kernel_ninja.py" --library "${library}"
            --build-file "${kernels}/build.ninja" --compiler "${CMAKE_CXX_COMPILER}" ${launcher} ${flags} ${link}
            -- ${ASCENDC_CPU_TOOL} ascendc_cpu.kernel_objects --op-type ${opType} --entry ${op}
            --sources "${CMAKE_CURRENT_SOURCE_DIR}/op_kernel" --opdefs "${opdefs}" --out "${kernels}/sources"
        DEPENDS "${opdefs}" ${ASCENDC_CPU_TOOL_SOURCES} ${kernelSources} "${CMAKE_SOURCE_DIR}/cmake/kernel_ninja.py"
        COMMENT "Generating the kernel objects of ${op}"
        VERBATIM)
    add_custom_target(${op}_kernels ALL
        COMMAND sh -c "exec '${CMAKE_MAKE_PROGRAM}' -C '${kernels}' \${CMAKE_BUILD_PARALLEL_LEVEL:+-j\$CMAKE_BUILD_PARALLEL_LEVEL}"
        DEPENDS "${kernels}/build.ninja" ascendc_cpu
        USES_TERMINAL
        COMMENT "Building the kernel objects of ${op}"
        VERBATIM)
    install(PROGRAMS "${library}" DESTINATION "${ASCENDC_CPU_INSTALL_PACKAGE}/${folder}")
endfunction()
