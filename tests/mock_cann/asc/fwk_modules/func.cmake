# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
set(ASCEND_AUTOGEN_PATH "${CMAKE_BINARY_DIR}/autogen")
set(MOCK_TOOLS "@TOOLS@")
file(MAKE_DIRECTORY "${ASCEND_AUTOGEN_PATH}")
file(WRITE "${CMAKE_BINARY_DIR}/calls.txt" "")

function(mock_record)
    file(APPEND "${CMAKE_BINARY_DIR}/calls.txt" "${ARGN}\n")
endfunction()

function(mock_require_files)
    foreach(file IN LISTS ARGN)
        if(NOT IS_ABSOLUTE "${file}" OR NOT EXISTS "${file}")
            message(FATAL_ERROR "mock: no source ${file}")
        endif()
    endforeach()
endfunction()

function(npu_op_package package)
    mock_record(npu_op_package ${package} ${ARGN})
    cmake_parse_arguments(P "" "TYPE" "CONFIG" ${ARGN})
    if(NOT P_TYPE STREQUAL "RUN" OR P_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "mock: npu_op_package ${ARGN}")
    endif()
endfunction()

function(npu_op_code_gen)
    mock_record(npu_op_code_gen ${ARGN})
    cmake_parse_arguments(P "" "OUT_DIR;PACKAGE" "SRC;OPTIONS" ${ARGN})
    mock_require_files(${P_SRC})
    set(library "${P_OUT_DIR}/libascend_all_ops.so")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -shared -fPIC -std=c++11 -D_GLIBCXX_USE_CXX11_ABI=0
        -I${ASCEND_CANN_PACKAGE_PATH}/include ${P_SRC} -o ${library} COMMAND_ERROR_IS_FATAL ANY)
    list(GET P_OPTIONS 0 key)
    list(GET P_OPTIONS 1 value)
    set(ENV{${key}} ${value})
    execute_process(COMMAND ${ASCEND_CANN_PACKAGE_PATH}/tools/opbuild/op_build ${library} ${P_OUT_DIR}
        "--compute_unit=${ASCEND_COMPUTE_UNIT}" RESULT_VARIABLE failed ERROR_VARIABLE text)
    unset(ENV{${key}})
    if(failed)
        message(FATAL_ERROR "opbuild ops error: ${text}")
    endif()
    set_property(GLOBAL PROPERTY MOCK_CODE_GEN TRUE)
endfunction()

function(npu_op_library target type)
    mock_record(npu_op_library ${target} ${type} ${ARGN})
    mock_require_files(${ARGN})
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${ARGN})
    set_property(GLOBAL APPEND PROPERTY MOCK_LIBRARIES "${target}=${type}")
endfunction()

function(npu_op_kernel_library target)
    mock_record(npu_op_kernel_library ${target} ${ARGN})
    cmake_parse_arguments(P "" "SRC_BASE;TILING_LIBRARY" "" ${ARGN})
    mock_require_files("${P_SRC_BASE}")
    if(NOT TARGET ${P_TILING_LIBRARY})
        message(FATAL_ERROR "mock: TILING_LIBRARY ${P_TILING_LIBRARY} is no target")
    endif()
    set_property(GLOBAL PROPERTY MOCK_KERNELS "${P_SRC_BASE}")
endfunction()

function(npu_op_package_add package)
    mock_record(npu_op_package_add ${package} ${ARGN})
    cmake_parse_arguments(P "" "PACKAGE_PATH" "LIBRARY;FILES" ${ARGN})
    set(tree "${CMAKE_BINARY_DIR}/tree")
    set(vendor "${tree}/packages/vendors/${package}")
    if(P_FILES)
        mock_require_files(${P_FILES})
        file(COPY ${P_FILES} DESTINATION "${vendor}/${P_PACKAGE_PATH}")
        return()
    endif()
    get_property(sources GLOBAL PROPERTY MOCK_KERNELS)
    set(machine "lib/linux/${CMAKE_SYSTEM_PROCESSOR}")
    add_custom_target(binary COMMAND ${ASCEND_PYTHON_EXECUTABLE} "${MOCK_TOOLS}" kernels "${ASCEND_AUTOGEN_PATH}"
        "${sources}" "${vendor}" "${package}" "${ASCEND_COMPUTE_UNIT}" VERBATIM)
    # Only the aclnn library is compiled: its exports are checked. The template's imitation compiles all of them.
    add_library(mock_opapi SHARED $<TARGET_OBJECTS:fa_opapi>)
    set_target_properties(fa_opapi PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_features(fa_opapi PRIVATE cxx_std_11)
    target_include_directories(fa_opapi PRIVATE "${ASCEND_CANN_PACKAGE_PATH}/include")
    add_custom_target(package
        COMMAND ${CMAKE_COMMAND} -E make_directory "${vendor}/op_api/lib" "${vendor}/op_proto/${machine}"
            "${vendor}/op_proto/inc" "${vendor}/framework/onnx" "${vendor}/op_impl/ai_core/tbe/op_tiling/${machine}"
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:mock_opapi> "${vendor}/op_api/lib/libcust_opapi.so"
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:mock_opapi>
            "${vendor}/op_proto/${machine}/libcust_opsproto_rt2.0.so"
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:mock_opapi>
            "${vendor}/op_impl/ai_core/tbe/op_tiling/${machine}/libcust_opmaster_rt2.0.so"
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:mock_opapi> "${vendor}/framework/onnx/libcust_onnx_parsers.so"
        COMMAND ${CMAKE_COMMAND} -E copy "${ASCEND_AUTOGEN_PATH}/op_proto.h" "${vendor}/op_proto/inc"
        COMMAND ${ASCEND_PYTHON_EXECUTABLE} "${MOCK_TOOLS}" pack "${tree}" "${CMAKE_INSTALL_PREFIX}" "${package}"
            "${ASCEND_CANN_PACKAGE_PATH}"
        DEPENDS mock_opapi VERBATIM)
endfunction()
