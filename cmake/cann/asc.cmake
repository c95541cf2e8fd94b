# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Top CMakeLists.txt of the staged tree for a CANN that has the ASC package. Given: FA_SNAKES, FA_VENDOR,
# FA_ASC_FOLDERS, ASCEND_COMPUTE_UNIT, ASCEND_CANN_PACKAGE_PATH, CMAKE_INSTALL_PREFIX (where the .run file goes).
cmake_minimum_required(VERSION 3.16)
project(fa_op_package)

find_package(ASC REQUIRED NO_DEFAULT_PATH PATHS ${FA_ASC_FOLDERS})
include("${CMAKE_CURRENT_SOURCE_DIR}/fa_sources.cmake")

npu_op_package(${FA_VENDOR} TYPE RUN CONFIG
    ENABLE_SOURCE_PACKAGE True
    ENABLE_BINARY_PACKAGE True
    INSTALL_PATH "${CMAKE_INSTALL_PREFIX}")
npu_op_code_gen(SRC ${FA_DEFINITIONS} OUT_DIR "${ASCEND_AUTOGEN_PATH}" PACKAGE ${FA_VENDOR}
    OPTIONS OPS_PROJECT_NAME aclnnInner)
fa_require_generated()

file(GLOB generatedApi "${ASCEND_AUTOGEN_PATH}/aclnnInner_*.cpp")
npu_op_library(fa_opapi ACLNN ${generatedApi} ${FA_API})
target_include_directories(fa_opapi PRIVATE ${FA_API_INCLUDES} ${FA_CANN_INCLUDES})
npu_op_library(fa_optiling TILING ${FA_TILING})
npu_op_library(fa_opsproto GRAPH ${FA_INFERENCE} "${ASCEND_AUTOGEN_PATH}/op_proto.cc")
fa_host_flags(fa_opapi)
fa_host_flags(fa_optiling)
fa_host_flags(fa_opsproto)
npu_op_library(fa_onnx ONNX_PLUGIN ${FA_ONNX})
npu_op_kernel_library(fa_kernels SRC_BASE "${FA_STAGE}/op_kernel" TILING_LIBRARY fa_optiling)

npu_op_package_add(${FA_VENDOR} LIBRARY fa_opapi fa_optiling fa_opsproto fa_onnx fa_kernels)
npu_op_package_add(${FA_VENDOR} FILES ${FA_API_HEADERS} PACKAGE_PATH op_api/include/aclnnop)
